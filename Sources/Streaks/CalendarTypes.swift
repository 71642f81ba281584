// Who writes a rule meets days, amounts and schedules.
@_exported public import Calendar
