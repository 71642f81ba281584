extension QuestionRequest {
  /// The questions about households.
  static let householdTypes: [any Question.Type] = [
    HouseholdQuestion.self, HouseholdHistoryQuestion.self, HouseholdTasksQuestion.self,
    RecipesQuestion.self, RecipeQuestion.self, PlanQuestion.self, GroceriesQuestion.self,
    GroceryItemQuestion.self, PantryQuestion.self, CalendarQuestion.self,
  ]
}
