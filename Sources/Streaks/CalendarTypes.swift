// A client that writes a rule needs `Day`, `Amount` and `Schedule`.
@_exported public import Calendar
