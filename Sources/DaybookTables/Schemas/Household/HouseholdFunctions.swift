import Avro
import Calendar
import Daybook
import DaybookStore
import Values

extension RemoteFunction {
  /// McCallHome's functions, for what its tables cannot express: joining a household, and making a list from the
  /// week's meals.
  static var household: [RemoteFunction] {
    [createHouseholdCode, joinHousehold, revokeHouseholdCode, generateGroceryList]
  }

  private static var createHouseholdCode: RemoteFunction {
    RemoteFunction(
      "create_household_code",
      [
        Argument("p_household_id", .uuid, defaultValue: .null),
        Argument("p_ttl_minutes", .integer, defaultValue: .integer(10_080)),
      ]
    ) { arguments, write in
      let household = try write.raising {
        try $0.soleHousehold(arguments.key("p_household_id"))
      }
      try write.call(
        CreateHouseholdCode(household, minutes: arguments.integer("p_ttl_minutes") ?? 10_080))
      let key = write.batch.state.households[household]?.key
      return .row(table: "households", key: ["id": key.columnValue])
    }
  }

  private static var joinHousehold: RemoteFunction {
    RemoteFunction("join_household_with_code", [Argument("p_code", .text)]) { arguments, write in
      let household = try write.call(JoinHousehold(arguments.text("p_code") ?? ""))
      return .scalar((write.batch.state.households[household]?.key).columnValue)
    }
  }

  private static var revokeHouseholdCode: RemoteFunction {
    RemoteFunction(
      "revoke_household_code", [Argument("p_household_id", .uuid, defaultValue: .null)]
    ) { arguments, write in
      let household = try write.raising {
        try $0.soleHousehold(arguments.key("p_household_id"))
      }
      try write.call(RevokeHouseholdCode(household))
      return .void
    }
  }

  private static var generateGroceryList: RemoteFunction {
    RemoteFunction(
      "generate_grocery_list",
      [
        Argument("p_household_id", .uuid, defaultValue: .null),
        Argument("p_week_start", .date, defaultValue: .null),
      ]
    ) { arguments, write in
      let household = try write.raising {
        try $0.soleHousehold(arguments.key("p_household_id"))
      }
      let list = try write.call(
        GenerateGroceryList(of: household, week: arguments.day("p_week_start")))
      let key = write.batch.state.lists[list]?.key
      return .row(table: "grocery_lists", key: ["id": key.columnValue])
    }
  }
}
