// Importing the domain also imports its foundations: days and amounts, kitchen measures, marks and rules, keys.
@_exported public import Calendar
@_exported public import Kitchen
@_exported public import Streaks
@_exported public import Values
