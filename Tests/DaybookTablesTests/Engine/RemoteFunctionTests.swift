import Avro
import DaybookTables
import HTTPTypes
import Testing
import Wire

@Suite(.tags(.unit)) struct RemoteFunctionTests {
  let garden: Garden
  let object: HTTPFields = [.accept: "application/vnd.pgrst.object+json"]

  init() throws { garden = try Garden() }

  @Test func `an answer has the shape that the function declares`() async {
    #expect(await garden.ask(.post, "rpc/double", ["p_value": 3]).text == "6")
    #expect(await garden.ask(.post, "rpc/double", ["p_value": "3", "p_on": nil]).text == "6")
    #expect(await garden.ask(.post, "rpc/today").text == #""2026-01-02""#)
    #expect(await garden.ask(.get, "rpc/double?p_value=4").text == "8")
    #expect(await garden.ask(.head, "rpc/double?p_value=4").body.isEmpty)
    let row = await garden.ask(.post, "rpc/set_goal?select=title", ["p_title": "Run"])
    #expect(row.status == .ok && row.text == #"{"title":"Run"}"#)
    #expect(await garden.get("goals?select=title") == #"[{"title":"Run"}]"#)
    let void = await garden.ask(.post, "rpc/nothing", [:])
    #expect(void.status == .noContent && void.body.isEmpty)
    #expect(
      await garden.ask(.post, "rpc/several").text
        == #"[{"n":1,"even":false},{"n":2,"even":true},{"n":3,"even":false}]"#)
    #expect(
      await garden.ask(.post, "rpc/several?select=n&even=is.false&order=n.desc").text
        == #"[{"n":3},{"n":1}]"#)
    #expect(await garden.ask(.post, "rpc/one", headers: object).text == #"{"n":1}"#)
    #expect(await garden.ask(.post, "rpc/several", headers: object).refusal == "406 PGRST116")
  }

  @Test func `arguments are matched by their names`() async {
    #expect(await garden.ask(.post, "rpc/none").refusal == "404 PGRST202")
    #expect(await garden.ask(.post, "rpc/double").refusal == "404 PGRST202")
    #expect(
      await garden.ask(.post, "rpc/double", ["p_value": 1, "p_other": 1]).refusal == "404 PGRST202")
    #expect(await garden.ask(.get, "rpc/double").refusal == "404 PGRST202")
    #expect(await garden.ask(.post, "rpc/double", ["p_value": "x"]).refusal == "400 22P02")
    #expect(await garden.ask(.post, "rpc/double", [1]).refusal == "400 PGRST102")
    #expect(await garden.ask(.patch, "rpc/double").refusal == "405 PGRST101")
    #expect(await garden.ask(.get, "rpc/nothing").refusal == "405 PGRST101")
  }

  @Test func `only members of a body that columns names count`() async {
    let body: JSON = ["p_value": 3, "other": "x", "p_on": "never"]
    #expect(await garden.ask(.post, "rpc/double", body).refusal == "404 PGRST202")
    #expect(await garden.ask(.post, "rpc/double?columns=p_value", body).text == "6")
    #expect(
      await garden.ask(.post, "rpc/double?columns=%22p_value%22,p_on", body).refusal == "400 22007")
    let other = await garden.ask(.post, "rpc/double?columns=p_value,other", body)
    #expect(other.refusal == "404 PGRST202")
    #expect(await garden.ask(.post, "rpc/double?columns=p_on", body).refusal == "404 PGRST202")
    // A parameter that the body lacks is NULL.
    #expect(await garden.ask(.post, "rpc/double?columns=p_value", [:]).text == "null")
    #expect(await garden.ask(.post, "rpc/double?columns=", body).refusal == "400 PGRST100")
    #expect(await garden.ask(.get, "rpc/double?p_value=4&columns=other").text == "8")
  }

  @Test func `a refusal keeps its own message, and nothing is stored`() async {
    let raised = await garden.ask(.post, "rpc/set_goal", ["p_title": "bad"])
    #expect(raised.refusal == "400 P0001" && raised.json?["message"] == "bad title")
    let refused = await garden.ask(.post, "rpc/set_goal", ["p_title": " "])
    #expect(refused.refusal == "400 P0001")
    #expect(await garden.get("goals") == "[]")
    let nobody = await garden.ask(.post, "rpc/today", by: .anonymous)
    #expect(nobody.refusal == "401 42501")
  }
}
