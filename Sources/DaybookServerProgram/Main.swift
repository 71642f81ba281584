import ArgumentParser
import DaybookServer

@main
struct Program: AsyncParsableCommand {
}
