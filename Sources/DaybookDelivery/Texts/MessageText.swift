import Avro
package import DaybookAuth

/// A message in the words that people read.
package struct MessageText: Hashable, Sendable {
  /// A mail's subject, a push's title.
  package var title: String
  /// What it says.
  package var body: String
  /// What it says as a page, of a mail that was given as one.
  package var page: String?

  package init(_ title: String, _ body: String, page: String? = nil) {
    self.title = title
    self.body = body
    self.page = page
  }

  /// Puts a message into words.
  ///
  /// - Throws: ``SendFailure`` for a template that is not known, or a payload without what the template needs.
  package init(of message: OutboxMessage) throws(SendFailure) {
    guard let text = Sentences.text(message.template, message.channel, message.payload) else {
      throw .permanent("no sentences for \(message.template) by \(message.channel.rawValue)")
    }
    self = text
  }
}
