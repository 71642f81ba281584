import ArgumentParser
import Pictures

extension Palette: ExpressibleByArgument {}
