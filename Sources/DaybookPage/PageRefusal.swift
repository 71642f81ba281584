import Avro
import HTTPTypes
import Wire

/// The reason why the page does not show or do what was asked, in words for whoever looks at it.
struct PageRefusal: Error, Sendable {
  let status: HTTPResponse.Status
  /// The sentence: a key of the page's words, or the sentence itself.
  let sentence: String
  /// The form that was refused: its fields, to be corrected and sent again.
  var form: [(name: String, value: String)] = []
  /// The address to go back to.
  var back = "/"
  /// Whether nothing was wrong with the form but that nobody was signed in.
  var isUnsent = false
  /// The code of the API's refusal, by which a language finds its own sentence.
  var code: String?
  /// The command's column that is at fault, if one is.
  var field: String?
  /// The screen on which the form stands and can be corrected, if it can.
  var again: String?

  init(_ status: HTTPResponse.Status, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  /// What the API refused.
  init(_ answer: WireResponse) {
    let error = (try? JSON(parsing: answer.body))?["error"]
    self.init(answer.status, error?["message"]?.text ?? "refused.unavailable")
    code = error?["code"]?.text
    field = error?["field"]?.text
  }

  /// The sentence in a language: its own, if it has one for the code, else the API's.
  func said(in words: Words) -> String {
    guard let code, words.has("rejection.\(code)") else { return words.say(sentence) }
    let label = field.map { words.has("field.\($0)") ? words.say("field.\($0)") : $0 }
    return words.say("rejection.\(code)", ["field": label ?? "", "message": sentence])
  }

  /// The form that somebody sent after their session had ended: it is offered once more.
  init(typedBefore kept: String, back: String) {
    self.init(.ok, "enter.kept")
    form = WireQuery(encoded: kept).items.map { ($0.name, $0.value) }
    self.back = back
    isUnsent = true
  }

  /// The answer to a script of the page: the sentence, and whether the form may be accepted once it has another token.
  func brief(in language: Language) -> WireResponse {
    let isStale = sentence == Self.staleForm.sentence || sentence == Self.signedOut.sentence
    return WireResponse(
      status, ["error": .string(said(in: language.words)), "stale": .bool(isStale)])
  }

  static let notFound = PageRefusal(.notFound, "refused.not_found")
  static let wrongMethod = PageRefusal(.methodNotAllowed, "refused.method")
  static let wrongOrigin = PageRefusal(.forbidden, "refused.origin")
  static let staleForm = PageRefusal(.forbidden, "refused.stale")
  static let signedOut = PageRefusal(.unauthorized, "refused.signed_out")
  static let badForm = PageRefusal(.badRequest, "refused.form")
  static let unavailable = PageRefusal(.serviceUnavailable, "refused.unavailable")
}
