import GRDB

// Times are milliseconds since 1970; hashes are unpadded base64url. Tables are strict, so each column holds only
// values of its type.
extension ServerDatabase {
  /// The migrations from an empty file to the present tables. A released one is never changed.
  static var migrations: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("accounts") { try $0.execute(sql: accountTables) }
    migrator.registerMigration("sessions") { try $0.execute(sql: sessionTables) }
    migrator.registerMigration("outbox") { try $0.execute(sql: outboxTable) }
    migrator.registerMigration("progress") { try $0.execute(sql: progressTable) }
    migrator.registerMigration("messages of accounts") { try $0.execute(sql: outboxAccounts) }
    migrator.registerMigration("codes of accounts") { try $0.execute(sql: codesByAccount) }
    migrator.registerMigration("marks") { try $0.execute(sql: markTable) }
    migrator.registerMigration("devices of sessions") { try $0.execute(sql: sessionDevices) }
    migrator.registerMigration("personal tokens") { try $0.execute(sql: personalTokenTable) }
    return migrator
  }

  private static let accountTables = """
    CREATE TABLE users (
      account TEXT NOT NULL PRIMARY KEY,
      email TEXT UNIQUE,
      phone TEXT UNIQUE,
      email_confirmed_at INTEGER,
      phone_confirmed_at INTEGER,
      password_hash TEXT,
      metadata TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      last_sign_in_at INTEGER
    ) STRICT;

    CREATE TABLE identities (
      provider TEXT NOT NULL,
      subject TEXT NOT NULL,
      id TEXT NOT NULL,
      account TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
      data TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      last_sign_in_at INTEGER NOT NULL,
      PRIMARY KEY (provider, subject)
    ) STRICT;
    CREATE INDEX identities_by_account ON identities (account);

    CREATE TABLE sign_ups (
      kind TEXT NOT NULL,
      address TEXT NOT NULL,
      account TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      metadata TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (kind, address)
    ) STRICT;

    CREATE TABLE one_time_codes (
      purpose TEXT NOT NULL,
      kind TEXT NOT NULL,
      address TEXT NOT NULL,
      account TEXT NOT NULL,
      salt TEXT NOT NULL,
      code_hash TEXT NOT NULL,
      link_hash TEXT NOT NULL UNIQUE,
      metadata TEXT NOT NULL,
      redirect TEXT NOT NULL,
      challenge TEXT NOT NULL,
      wrong_guesses INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      PRIMARY KEY (purpose, kind, address, account)
    ) STRICT;
    CREATE INDEX one_time_codes_by_address ON one_time_codes (kind, address);

    CREATE TABLE limits (
      bucket TEXT NOT NULL PRIMARY KEY,
      expires_at INTEGER NOT NULL,
      count INTEGER NOT NULL
    ) STRICT;
    """

  private static let sessionTables = """
    CREATE TABLE signing_keys (
      kid TEXT NOT NULL PRIMARY KEY,
      private_key TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE sessions (
      id TEXT NOT NULL PRIMARY KEY,
      account TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
      method TEXT NOT NULL,
      signed_in_at INTEGER NOT NULL,
      refreshed_at INTEGER
    ) STRICT;
    CREATE INDEX sessions_by_account ON sessions (account);

    CREATE TABLE refresh_tokens (
      hash TEXT NOT NULL PRIMARY KEY,
      session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      used_at INTEGER,
      successor TEXT
    ) STRICT;
    CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session);

    CREATE TABLE authorization_codes (
      hash TEXT NOT NULL PRIMARY KEY,
      account TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
      method TEXT NOT NULL,
      challenge TEXT NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX authorization_codes_by_account ON authorization_codes (account);

    CREATE TABLE authorization_states (
      hash TEXT NOT NULL PRIMARY KEY,
      provider TEXT NOT NULL,
      redirect TEXT NOT NULL,
      challenge TEXT NOT NULL,
      verifier TEXT NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT;
    """

  private static let outboxTable = """
    CREATE TABLE outbox (
      id TEXT NOT NULL PRIMARY KEY,
      deduplication_key TEXT NOT NULL UNIQUE,
      channel TEXT NOT NULL,
      recipient TEXT NOT NULL,
      template TEXT NOT NULL,
      payload TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      last_error TEXT,
      delivered_at INTEGER,
      dead_at INTEGER
    ) STRICT;
    CREATE INDEX outbox_due ON outbox (due_at) WHERE delivered_at IS NULL AND dead_at IS NULL;
    CREATE INDEX outbox_by_recipient ON outbox (recipient);
    """

  /// Adds the account to messages. For existing ones, it comes from a push's payload or from the owner of the
  /// address.
  private static let outboxAccounts = """
    ALTER TABLE outbox ADD COLUMN account TEXT;
    CREATE INDEX outbox_by_account ON outbox (account) WHERE account IS NOT NULL;
    UPDATE outbox SET account = coalesce(
      (SELECT account FROM users WHERE email = recipient OR phone = recipient),
      (SELECT account FROM one_time_codes WHERE address = recipient AND account <> ''),
      CASE WHEN channel = 'push' THEN json_extract(payload, '$.account') END);
    """

  /// Finds the codes of an account, which every answer about its person needs.
  private static let codesByAccount = """
    CREATE INDEX one_time_codes_by_account ON one_time_codes (account);
    """

  /// Adds the browser in which a session began, in few words of the page's own: never what a browser sent.
  private static let sessionDevices = """
    ALTER TABLE sessions ADD COLUMN device TEXT;
    """

  private static let personalTokenTable = """
    CREATE TABLE personal_tokens (
      id TEXT NOT NULL PRIMARY KEY,
      account TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
      hash TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      scopes TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      used_at INTEGER
    ) STRICT;
    CREATE INDEX personal_tokens_by_account ON personal_tokens (account);
    """

  private static let markTable = """
    CREATE TABLE marks (
      name TEXT NOT NULL PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT;
    """

  private static let progressTable = """
    CREATE TABLE progress (
      work TEXT NOT NULL PRIMARY KEY,
      position INTEGER NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    """
}
