import Journal
import Testing

/// The progress bar for concurrent work.
@Suite(.tags(.unit)) struct WorkMeterTests {
  @Test func `nested work is part of the outer work`() {
    let meter = WorkMeter()
    meter.begin("Applying", 3)
    meter.begin("Reading", 2)
    meter.advance(by: 4)
    #expect(meter.reading.map { [$0.done, $0.all] } == [4, 5])
    meter.end()
    #expect(meter.reading?.label == "Applying")
    meter.end()
    #expect(meter.reading == nil)
  }

  @Test(arguments: [true, false])
  func `foreground work is shown before background work`(isFirst: Bool) {
    let meter = WorkMeter()
    if isFirst { meter.begin("Sealing", isInBackground: true) }
    meter.begin("Applying", 3)
    if !isFirst { meter.begin("Sealing", isInBackground: true) }
    #expect(meter.reading?.label == "Applying")
    meter.end()
    #expect(meter.reading?.label == "Applying", "one of them goes on")
    meter.end()
    #expect(meter.reading == nil)
    meter.begin("Sealing", 1, isInBackground: true)
    #expect(meter.reading?.label == "Sealing")
  }
}
