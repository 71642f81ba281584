// Made by Tests/Generated/generate_documents.py from the names in Docs. Run it after adding a page.
#include "documents.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page_analysis[] = {
#embed "Docs/Analysis.md"
};
static const unsigned char page_architecture[] = {
#embed "Docs/Architecture.md"
};
static const unsigned char page_assistants[] = {
#embed "Docs/Assistants.md"
};
static const unsigned char page_auditing[] = {
#embed "Docs/Auditing.md"
};
static const unsigned char page_changelog[] = {
#embed "Docs/CHANGELOG.md"
};
static const unsigned char page_calendar[] = {
#embed "Docs/Calendar.md"
};
static const unsigned char page_commandline[] = {
#embed "Docs/CommandLine.md"
};
static const unsigned char page_concurrency[] = {
#embed "Docs/Concurrency.md"
};
static const unsigned char page_decisions_0001_own_json[] = {
#embed "Docs/Decisions/0001-own-json.md"
};
static const unsigned char page_decisions_0002_fields_stated_once[] = {
#embed "Docs/Decisions/0002-fields-stated-once.md"
};
static const unsigned char page_decisions_0003_closed_days_stay_closed[] = {
#embed "Docs/Decisions/0003-closed-days-stay-closed.md"
};
static const unsigned char page_decisions_0004_imports_as_lived[] = {
#embed "Docs/Decisions/0004-imports-as-lived.md"
};
static const unsigned char page_decisions_0005_idempotency_keys[] = {
#embed "Docs/Decisions/0005-idempotency-keys.md"
};
static const unsigned char page_decisions_0006_imported_values[] = {
#embed "Docs/Decisions/0006-imported-values.md"
};
static const unsigned char page_decisions_0007_sync_marker_guards_the_header[] = {
#embed "Docs/Decisions/0007-sync-marker-guards-the-header.md"
};
static const unsigned char page_decisions_0008_logs_are_sorted_while_replaying[] = {
#embed "Docs/Decisions/0008-logs-are-sorted-while-replaying.md"
};
static const unsigned char page_decisions_0009_an_index_holds_the_entries[] = {
#embed "Docs/Decisions/0009-an-index-holds-the-entries.md"
};
static const unsigned char page_decisions_0010_heads_are_of_what_was_recorded[] = {
#embed "Docs/Decisions/0010-heads-are-of-what-was-recorded.md"
};
static const unsigned char page_decisions_0011_segments_of_eight_mebibytes[] = {
#embed "Docs/Decisions/0011-segments-of-eight-mebibytes.md"
};
static const unsigned char page_decisions_0012_own_recurrence[] = {
#embed "Docs/Decisions/0012-own-recurrence.md"
};
static const unsigned char page_decisions_0013_what_is_chained_is_public[] = {
#embed "Docs/Decisions/0013-what-is-chained-is-public.md"
};
static const unsigned char page_decisions_0014_persistent_state[] = {
#embed "Docs/Decisions/0014-persistent-state.md"
};
static const unsigned char page_decisions_0015_answers_and_receipts[] = {
#embed "Docs/Decisions/0015-answers-and-receipts.md"
};
static const unsigned char page_decisions_0016_answers_a_page_at_a_time[] = {
#embed "Docs/Decisions/0016-answers-a-page-at-a-time.md"
};
static const unsigned char page_decisions_0017_an_update_is_decided_by_one_file[] = {
#embed "Docs/Decisions/0017-an-update-is-decided-by-one-file.md"
};
static const unsigned char page_decisions_0018_a_budget_for_every_parser[] = {
#embed "Docs/Decisions/0018-a-budget-for-every-parser.md"
};
static const unsigned char page_decisions_0019_limits_of_a_whole_value[] = {
#embed "Docs/Decisions/0019-limits-of-a-whole-value.md"
};
static const unsigned char page_decisions_0020_columns_stated_once[] = {
#embed "Docs/Decisions/0020-columns-stated-once.md"
};
static const unsigned char page_decisions_0021_questions_like_commands[] = {
#embed "Docs/Decisions/0021-questions-like-commands.md"
};
static const unsigned char page_decisions_0022_leaf_modules[] = {
#embed "Docs/Decisions/0022-leaf-modules.md"
};
static const unsigned char page_decisions_0023_archives_and_databases[] = {
#embed "Docs/Decisions/0023-archives-and-databases.md"
};
static const unsigned char page_decisions_0024_a_map_of_what_entries_are_about[] = {
#embed "Docs/Decisions/0024-a-map-of-what-entries-are-about.md"
};
static const unsigned char page_decisions_0025_a_small_front_door[] = {
#embed "Docs/Decisions/0025-a-small-front-door.md"
};
static const unsigned char page_decisions_0026_what_a_clients_row_says[] = {
#embed "Docs/Decisions/0026-what-a-clients-row-says.md"
};
static const unsigned char page_decisions_0027_a_server_of_parts[] = {
#embed "Docs/Decisions/0027-a-server-of-parts.md"
};
static const unsigned char page_decisions_0028_as_clients_wrote_it[] = {
#embed "Docs/Decisions/0028-as-clients-wrote-it.md"
};
static const unsigned char page_decisions_0029_what_one_account_may_cost[] = {
#embed "Docs/Decisions/0029-what-one-account-may-cost.md"
};
static const unsigned char page_decisions_0030_rows_called_by_their_apps[] = {
#embed "Docs/Decisions/0030-rows-called-by-their-apps.md"
};
static const unsigned char page_decisions_0031_as_old_as_their_apps_say[] = {
#embed "Docs/Decisions/0031-as-old-as-their-apps-say.md"
};
static const unsigned char page_decisions_0032_a_step_of_its_command[] = {
#embed "Docs/Decisions/0032-a-step-of-its-command.md"
};
static const unsigned char page_devices[] = {
#embed "Docs/Devices.md"
};
static const unsigned char page_durability[] = {
#embed "Docs/Durability.md"
};
static const unsigned char page_embedding[] = {
#embed "Docs/Embedding.md"
};
static const unsigned char page_events[] = {
#embed "Docs/Events.md"
};
static const unsigned char page_evolution[] = {
#embed "Docs/Evolution.md"
};
static const unsigned char page_extending[] = {
#embed "Docs/Extending.md"
};
static const unsigned char page_format[] = {
#embed "Docs/Format.md"
};
static const unsigned char page_fuzzing[] = {
#embed "Docs/Fuzzing.md"
};
static const unsigned char page_gallery[] = {
#embed "Docs/Gallery.md"
};
static const unsigned char page_glossary[] = {
#embed "Docs/Glossary.md"
};
static const unsigned char page_hives[] = {
#embed "Docs/Hives.md"
};
static const unsigned char page_household[] = {
#embed "Docs/Household.md"
};
static const unsigned char page_imports[] = {
#embed "Docs/Imports.md"
};
static const unsigned char page_legal_licences[] = {
#embed "Docs/Legal/Licences.md"
};
static const unsigned char page_legal_privacy[] = {
#embed "Docs/Legal/Privacy.md"
};
static const unsigned char page_legal_terms[] = {
#embed "Docs/Legal/Terms.md"
};
static const unsigned char page_limits[] = {
#embed "Docs/Limits.md"
};
static const unsigned char page_page[] = {
#embed "Docs/Page.md"
};
static const unsigned char page_proofs[] = {
#embed "Docs/Proofs.md"
};
static const unsigned char page_propertytesting[] = {
#embed "Docs/PropertyTesting.md"
};
static const unsigned char page_readme[] = {
#embed "Docs/README.md"
};
static const unsigned char page_recurrence[] = {
#embed "Docs/Recurrence.md"
};
static const unsigned char page_rejections[] = {
#embed "Docs/Rejections.md"
};
static const unsigned char page_requirements[] = {
#embed "Docs/Requirements.md"
};
static const unsigned char page_rules[] = {
#embed "Docs/Rules.md"
};
static const unsigned char page_server[] = {
#embed "Docs/Server.md"
};
static const unsigned char page_streaks[] = {
#embed "Docs/Streaks.md"
};
static const unsigned char page_tasks[] = {
#embed "Docs/Tasks.md"
};
static const unsigned char page_testing[] = {
#embed "Docs/Testing.md"
};
static const unsigned char page_tokens[] = {
#embed "Docs/Tokens.md"
};

static const struct daybook_document documents[] = {
  {"Analysis.md", page_analysis, sizeof page_analysis},
  {"Architecture.md", page_architecture, sizeof page_architecture},
  {"Assistants.md", page_assistants, sizeof page_assistants},
  {"Auditing.md", page_auditing, sizeof page_auditing},
  {"CHANGELOG.md", page_changelog, sizeof page_changelog},
  {"Calendar.md", page_calendar, sizeof page_calendar},
  {"CommandLine.md", page_commandline, sizeof page_commandline},
  {"Concurrency.md", page_concurrency, sizeof page_concurrency},
  {"Decisions/0001-own-json.md", page_decisions_0001_own_json, sizeof page_decisions_0001_own_json},
  {"Decisions/0002-fields-stated-once.md", page_decisions_0002_fields_stated_once, sizeof page_decisions_0002_fields_stated_once},
  {"Decisions/0003-closed-days-stay-closed.md", page_decisions_0003_closed_days_stay_closed, sizeof page_decisions_0003_closed_days_stay_closed},
  {"Decisions/0004-imports-as-lived.md", page_decisions_0004_imports_as_lived, sizeof page_decisions_0004_imports_as_lived},
  {"Decisions/0005-idempotency-keys.md", page_decisions_0005_idempotency_keys, sizeof page_decisions_0005_idempotency_keys},
  {"Decisions/0006-imported-values.md", page_decisions_0006_imported_values, sizeof page_decisions_0006_imported_values},
  {"Decisions/0007-sync-marker-guards-the-header.md", page_decisions_0007_sync_marker_guards_the_header, sizeof page_decisions_0007_sync_marker_guards_the_header},
  {"Decisions/0008-logs-are-sorted-while-replaying.md", page_decisions_0008_logs_are_sorted_while_replaying, sizeof page_decisions_0008_logs_are_sorted_while_replaying},
  {"Decisions/0009-an-index-holds-the-entries.md", page_decisions_0009_an_index_holds_the_entries, sizeof page_decisions_0009_an_index_holds_the_entries},
  {"Decisions/0010-heads-are-of-what-was-recorded.md", page_decisions_0010_heads_are_of_what_was_recorded, sizeof page_decisions_0010_heads_are_of_what_was_recorded},
  {"Decisions/0011-segments-of-eight-mebibytes.md", page_decisions_0011_segments_of_eight_mebibytes, sizeof page_decisions_0011_segments_of_eight_mebibytes},
  {"Decisions/0012-own-recurrence.md", page_decisions_0012_own_recurrence, sizeof page_decisions_0012_own_recurrence},
  {"Decisions/0013-what-is-chained-is-public.md", page_decisions_0013_what_is_chained_is_public, sizeof page_decisions_0013_what_is_chained_is_public},
  {"Decisions/0014-persistent-state.md", page_decisions_0014_persistent_state, sizeof page_decisions_0014_persistent_state},
  {"Decisions/0015-answers-and-receipts.md", page_decisions_0015_answers_and_receipts, sizeof page_decisions_0015_answers_and_receipts},
  {"Decisions/0016-answers-a-page-at-a-time.md", page_decisions_0016_answers_a_page_at_a_time, sizeof page_decisions_0016_answers_a_page_at_a_time},
  {"Decisions/0017-an-update-is-decided-by-one-file.md", page_decisions_0017_an_update_is_decided_by_one_file, sizeof page_decisions_0017_an_update_is_decided_by_one_file},
  {"Decisions/0018-a-budget-for-every-parser.md", page_decisions_0018_a_budget_for_every_parser, sizeof page_decisions_0018_a_budget_for_every_parser},
  {"Decisions/0019-limits-of-a-whole-value.md", page_decisions_0019_limits_of_a_whole_value, sizeof page_decisions_0019_limits_of_a_whole_value},
  {"Decisions/0020-columns-stated-once.md", page_decisions_0020_columns_stated_once, sizeof page_decisions_0020_columns_stated_once},
  {"Decisions/0021-questions-like-commands.md", page_decisions_0021_questions_like_commands, sizeof page_decisions_0021_questions_like_commands},
  {"Decisions/0022-leaf-modules.md", page_decisions_0022_leaf_modules, sizeof page_decisions_0022_leaf_modules},
  {"Decisions/0023-archives-and-databases.md", page_decisions_0023_archives_and_databases, sizeof page_decisions_0023_archives_and_databases},
  {"Decisions/0024-a-map-of-what-entries-are-about.md", page_decisions_0024_a_map_of_what_entries_are_about, sizeof page_decisions_0024_a_map_of_what_entries_are_about},
  {"Decisions/0025-a-small-front-door.md", page_decisions_0025_a_small_front_door, sizeof page_decisions_0025_a_small_front_door},
  {"Decisions/0026-what-a-clients-row-says.md", page_decisions_0026_what_a_clients_row_says, sizeof page_decisions_0026_what_a_clients_row_says},
  {"Decisions/0027-a-server-of-parts.md", page_decisions_0027_a_server_of_parts, sizeof page_decisions_0027_a_server_of_parts},
  {"Decisions/0028-as-clients-wrote-it.md", page_decisions_0028_as_clients_wrote_it, sizeof page_decisions_0028_as_clients_wrote_it},
  {"Decisions/0029-what-one-account-may-cost.md", page_decisions_0029_what_one_account_may_cost, sizeof page_decisions_0029_what_one_account_may_cost},
  {"Decisions/0030-rows-called-by-their-apps.md", page_decisions_0030_rows_called_by_their_apps, sizeof page_decisions_0030_rows_called_by_their_apps},
  {"Decisions/0031-as-old-as-their-apps-say.md", page_decisions_0031_as_old_as_their_apps_say, sizeof page_decisions_0031_as_old_as_their_apps_say},
  {"Decisions/0032-a-step-of-its-command.md", page_decisions_0032_a_step_of_its_command, sizeof page_decisions_0032_a_step_of_its_command},
  {"Devices.md", page_devices, sizeof page_devices},
  {"Durability.md", page_durability, sizeof page_durability},
  {"Embedding.md", page_embedding, sizeof page_embedding},
  {"Events.md", page_events, sizeof page_events},
  {"Evolution.md", page_evolution, sizeof page_evolution},
  {"Extending.md", page_extending, sizeof page_extending},
  {"Format.md", page_format, sizeof page_format},
  {"Fuzzing.md", page_fuzzing, sizeof page_fuzzing},
  {"Gallery.md", page_gallery, sizeof page_gallery},
  {"Glossary.md", page_glossary, sizeof page_glossary},
  {"Hives.md", page_hives, sizeof page_hives},
  {"Household.md", page_household, sizeof page_household},
  {"Imports.md", page_imports, sizeof page_imports},
  {"Legal/Licences.md", page_legal_licences, sizeof page_legal_licences},
  {"Legal/Privacy.md", page_legal_privacy, sizeof page_legal_privacy},
  {"Legal/Terms.md", page_legal_terms, sizeof page_legal_terms},
  {"Limits.md", page_limits, sizeof page_limits},
  {"Page.md", page_page, sizeof page_page},
  {"Proofs.md", page_proofs, sizeof page_proofs},
  {"PropertyTesting.md", page_propertytesting, sizeof page_propertytesting},
  {"README.md", page_readme, sizeof page_readme},
  {"Recurrence.md", page_recurrence, sizeof page_recurrence},
  {"Rejections.md", page_rejections, sizeof page_rejections},
  {"Requirements.md", page_requirements, sizeof page_requirements},
  {"Rules.md", page_rules, sizeof page_rules},
  {"Server.md", page_server, sizeof page_server},
  {"Streaks.md", page_streaks, sizeof page_streaks},
  {"Tasks.md", page_tasks, sizeof page_tasks},
  {"Testing.md", page_testing, sizeof page_testing},
  {"Tokens.md", page_tokens, sizeof page_tokens},
};

size_t daybook_document_count(void) {
  return sizeof documents / sizeof documents[0];
}

struct daybook_document daybook_document_at(size_t index) { return documents[index]; }
