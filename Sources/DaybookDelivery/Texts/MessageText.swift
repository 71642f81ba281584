import Avro
package import DaybookAuth

/// The text of a message as people read it.
package struct MessageText: Hashable, Sendable {
  /// A mail's subject, or a push's title.
  package var title: String
  /// The text.
  package var body: String
  /// The text as HTML, for a mail that was given as HTML.
  package var page: String?

  package init(_ title: String, _ body: String, page: String? = nil) {
    self.title = title
    self.body = body
    self.page = page
  }

  /// Makes the text of a message.
  ///
  /// - Throws: ``SendFailure`` for an unknown template, or a payload without a value that the template needs.
  package init(of message: OutboxMessage) throws(SendFailure) {
    guard let text = Sentences.text(message.template, message.channel, message.payload) else {
      throw .permanent("no sentences for \(message.template) by \(message.channel.rawValue)")
    }
    self = text
  }
}
