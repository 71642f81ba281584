import Values

/// Writes rows as JSON, directly from their values.
struct RowOutput {
  /// The longest answer, in bytes, because nested embeds multiply rows. Writing stops at this length.
  static let mostBytes = Limit.maximumAnswerByteCount

  let plan: ReadPlan
  let fetched: FetchedRows
  /// Counts the bytes written, where the caller decides the cost.
  var budget: RequestBudget?

  /// Writes all rows as an array, or an array with their number when they are counted.
  func writeArray(to json: inout [UInt8]) {
    json.append(UInt8(ascii: "["))
    if plan.counts {
      writeCount(fetched.total, plan, to: &json)
    } else {
      for (place, row) in fetched.rows.enumerated() {
        if place > 0 { json.append(UInt8(ascii: ",")) }
        write(row, fetched, plan, to: &json)
      }
    }
    json.append(UInt8(ascii: "]"))
  }

  /// Writes the first row as an object.
  func writeFirst(to json: inout [UInt8]) {
    if plan.counts {
      writeCount(fetched.total, plan, to: &json)
    } else if let row = fetched.rows.first {
      write(row, fetched, plan, to: &json)
    } else {
      TableValue.null.append(to: &json)
    }
  }

  private func write(
    _ row: Row, _ fetched: FetchedRows, _ plan: ReadPlan, to json: inout [UInt8]
  ) {
    guard json.count <= Self.mostBytes, budget?.isSpent != true else { return }
    let start = json.count
    json.append(UInt8(ascii: "{"))
    plan.names.withUnsafeBufferPointer { names in
      for (place, slot) in plan.slots.enumerated() {
        json.append(contentsOf: UnsafeBufferPointer(rebasing: names[slot.name]))
        if let column = slot.column {
          row.values[column].append(to: &json)
        } else {
          write(plan.members[place].content, row, fetched, plan, to: &json)
        }
      }
    }
    json.append(UInt8(ascii: "}"))
    budget?.spend((json.count - start) / 16)
  }

  private func write(
    _ content: ReadPlan.Content, _ row: Row, _ fetched: FetchedRows, _ plan: ReadPlan,
    to json: inout [UInt8]
  ) {
    switch content {
    case .column(let index): row.values[index].append(to: &json)
    case .value(let operand): operand.value(in: row).append(to: &json)
    case .text(let operand):
      let text = operand.value(in: row).text
      (text.map { .text($0) } ?? TableValue.null).append(to: &json)
    case .count: TableValue.integer(1).append(to: &json)
    case .embed(let place):
      write(fetched.embedded[place], of: row, plan.embeds[place], to: &json)
    }
  }

  private func write(
    _ embedded: EmbeddedRows, of row: Row, _ embed: ReadPlan.Embed, to json: inout [UInt8]
  ) {
    guard json.count <= Self.mostBytes, budget?.isSpent != true else { return }
    let places = embedded.places(of: row, embed)
    func writeOne(_ place: Int, to json: inout [UInt8]) {
      write(embedded.fetched.rows[place], embedded.fetched, embed.plan, to: &json)
    }
    if embed.relation.isSingle {
      if embed.plan.counts {
        writeCount(places.count, embed.plan, to: &json)
      } else if let place = places.first {
        writeOne(place, to: &json)
      } else {
        TableValue.null.append(to: &json)
      }
      return
    }
    json.append(UInt8(ascii: "["))
    if embed.plan.counts {
      writeCount(places.count, embed.plan, to: &json)
    } else {
      for (number, place) in places.enumerated() {
        if number > 0 { json.append(UInt8(ascii: ",")) }
        writeOne(place, to: &json)
      }
    }
    json.append(UInt8(ascii: "]"))
  }

  private func writeCount(_ count: Int, _ plan: ReadPlan, to json: inout [UInt8]) {
    json.append(UInt8(ascii: "{"))
    for slot in plan.slots {
      json.append(contentsOf: plan.names[slot.name])
      TableValue.integer(Int64(count)).append(to: &json)
    }
    json.append(UInt8(ascii: "}"))
  }
}
