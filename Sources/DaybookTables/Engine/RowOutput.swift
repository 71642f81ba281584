import Avro

/// Writes rows as JSON, straight from their values.
struct RowOutput {
  let plan: ReadPlan
  let fetched: FetchedRows

  /// All rows as an array; one with the number of rows when they are counted.
  func writeArray(to json: inout JSONWriter) {
    json.array { json in
      if plan.counts {
        Self.writeCount(fetched.rows.count, plan, to: &json)
      } else {
        for row in fetched.rows { Self.write(row, fetched, plan, to: &json) }
      }
    }
  }

  /// The first row as an object.
  func writeFirst(to json: inout JSONWriter) {
    if plan.counts {
      Self.writeCount(fetched.rows.count, plan, to: &json)
    } else if let row = fetched.rows.first {
      Self.write(row, fetched, plan, to: &json)
    } else {
      json.null()
    }
  }

  private static func write(
    _ row: Row, _ fetched: FetchedRows, _ plan: ReadPlan, to json: inout JSONWriter
  ) {
    json.object { json in
      for member in plan.members {
        json.name(member.name)
        switch member.content {
        case .column(let index): row.values[index].write(to: &json)
        case .value(let operand): operand.value(in: row).write(to: &json)
        case .text(let operand):
          if let text = operand.value(in: row).text { json.string(text) } else { json.null() }
        case .count: json.number(1)
        case .embed(let place):
          write(fetched.embedded[place], of: row, plan.embeds[place], to: &json)
        }
      }
    }
  }

  private static func write(
    _ embedded: EmbeddedRows, of row: Row, _ embed: ReadPlan.Embed, to json: inout JSONWriter
  ) {
    let places = row.key(embed.columns).flatMap { embedded.groups[$0] } ?? []
    func writeOne(_ place: Int, to json: inout JSONWriter) {
      write(embedded.fetched.rows[place], embedded.fetched, embed.plan, to: &json)
    }
    switch (embed.relation.isSingle, embed.plan.counts) {
    case (true, true): writeCount(places.count, embed.plan, to: &json)
    case (true, false):
      if let place = places.first { writeOne(place, to: &json) } else { json.null() }
    case (false, true): json.array { writeCount(places.count, embed.plan, to: &$0) }
    case (false, false):
      json.array { json in
        for place in places { writeOne(place, to: &json) }
      }
    }
  }

  private static func writeCount(_ count: Int, _ plan: ReadPlan, to json: inout JSONWriter) {
    json.object { json in
      for member in plan.members {
        json.name(member.name)
        json.number(Int64(count))
      }
    }
  }
}
