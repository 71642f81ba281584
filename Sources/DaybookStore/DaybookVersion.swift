/// The version of Daybook's programs.
package enum DaybookVersion {
  /// By semantic versioning.
  package static let text = "0.1.0"
}
