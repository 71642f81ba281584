"""PostgreSQL with HabitHive's tables, its function and the rows of the bench's book, queried by pgbench."""

import glob
import os
import shutil
import statistics
import subprocess
import tempfile

from bench_book import HABITS, account_key, habit_key, hive_key, hives

# The tables of HabitHive's specification with what Supabase puts around them: a setting says whose request it is, and
# policies say which rows a person sees. The columns are those of our rows, so that both give the same answers.
SCHEMA = """
create role authenticated;
create schema auth;
create function auth.uid() returns uuid language sql stable as $$
  select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
grant usage on schema auth to authenticated;

create table profiles (id uuid primary key, display_name text not null default 'New Bee', timezone text not null
  default 'UTC', day_start_hour int not null default 4, created_at timestamptz not null default now());
create table habits (id uuid primary key, user_id uuid not null references profiles, name text not null, emoji text,
  color_hex text not null default '#FF9F1C', type text not null default 'counter', target_per_day int not null default 5,
  schedule_daily boolean not null default true, schedule_weekmask int not null default 127,
  reminders text[] not null default '{}', is_active boolean not null default true,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now());
create index on habits (user_id);
create table habit_logs (id uuid primary key default gen_random_uuid(), habit_id uuid not null references habits,
  user_id uuid not null references profiles, log_date date not null, value int not null default 1,
  skipped boolean not null default false, source text not null default 'manual',
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (habit_id, log_date));
create index on habit_logs (user_id, log_date);
create table hives (id uuid primary key, owner_id uuid not null references profiles, name text not null, emoji text,
  color_hex text not null default '#FF9F1C', type text not null default 'checkbox', target_per_day int not null default 1,
  rule text not null default 'all_must_complete', threshold int, schedule_daily boolean not null default true,
  schedule_weekmask int not null default 127, source_habit_id uuid, streak int not null default 0,
  last_advanced_on date, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
create index on hives (owner_id);
create table hive_members (hive_id uuid references hives, user_id uuid references profiles,
  role text not null default 'member', joined_at timestamptz not null default now(), primary key (hive_id, user_id));
create index on hive_members (user_id);
create table activity_events (id uuid primary key default gen_random_uuid(), actor_id uuid not null references profiles,
  hive_id uuid references hives, habit_id uuid references habits, type text not null, data jsonb not null default '{}',
  created_at timestamptz not null default now());
create index on activity_events (hive_id, created_at desc);

create function is_member(hive uuid) returns boolean language sql stable security definer as $$
  select exists (select from hive_members m where m.hive_id = hive and m.user_id = auth.uid())
$$;
alter table habits enable row level security;
create policy own on habits using (user_id = auth.uid());
alter table habit_logs enable row level security;
create policy own on habit_logs using (user_id = auth.uid());
alter table hives enable row level security;
create policy own on hives using (owner_id = auth.uid());
create policy joined on hives for select using (
  exists (select from hive_members m where m.hive_id = hives.id and m.user_id = auth.uid()));
alter table hive_members enable row level security;
create policy together on hive_members for select using (is_member(hive_id));
grant select, insert, update, delete on all tables in schema public to authenticated;

create function user_local_date(p_user uuid, p_at timestamptz) returns date language sql stable as $$
  select ((p_at at time zone timezone) - make_interval(hours => day_start_hour))::date from profiles where id = p_user
$$;

create function log_habit(p_habit_id uuid, p_value int default 1, p_at timestamptz default now())
returns habit_logs language plpgsql security definer as $$
declare owner uuid; target int; today date; logged habit_logs;
begin
  select user_id, target_per_day into owner, target from habits where id = p_habit_id;
  if owner is null then raise exception 'habit not found'; end if;
  if owner <> auth.uid() then raise exception 'not owner'; end if;
  today := user_local_date(owner, p_at);
  insert into habit_logs (habit_id, user_id, log_date, value, source)
    values (p_habit_id, owner, today, least(greatest(p_value, 1), target), 'api')
    on conflict (habit_id, log_date) do update set value = excluded.value, updated_at = now()
    returning * into logged;
  insert into activity_events (actor_id, habit_id, type, data)
    values (owner, p_habit_id, 'habit_completed', jsonb_build_object('log_date', today))
    on conflict do nothing;
  return logged;
end $$;
"""

# pgbench's numbers become the keys; nothing is looked up for them.
USER = "('00000000-0000-4000-a000-' || lpad(to_hex(:u::int), 12, '0'))"
HABIT = "('00000000-0000-4000-8000-' || lpad(to_hex(:h::int), 12, '0'))::uuid"
CLAIMS = f"""'{{"aud":"authenticated","role":"authenticated","sub":"' || {USER} || '"}}'"""


def logging(last):
    """A single statement that calls the function, after it has set whose request it is."""
    return rf"""\set h random(0, {last})
\set u :h / {HABITS}
\set v random(1, 5)
select row_to_json(logged) from (select set_config('request.jwt.claims', {CLAIMS}, true) as claims) request,
  lateral log_habit({HABIT}, case when request.claims <> '' then :v::int end) logged;
"""


def reading(path, rows):
    """What PostgREST 16 sends for a request that reads: a transaction, the request's settings, a statement around the rows."""
    return f"""begin isolation level read committed read only;
select set_config('search_path', '"public", "extensions"', true), set_config('role', 'authenticated', true),
  set_config('request.jwt.claims', {CLAIMS}, true), set_config('request.method', 'GET', true),
  set_config('request.path', '{path}', true), set_config('request.headers', '{{"host":"bench"}}', true),
  set_config('request.cookies', '{{}}', true);
with source as ({rows} limit 1000 offset 0)
select null::bigint as total_result_set, count(found) as page_total, coalesce(json_agg(found), '[]') as body,
  nullif(current_setting('response.headers', true), '') as response_headers,
  nullif(current_setting('response.status', true), '') as response_status from (select * from source) found;
commit;
"""


def home(last, day):
    """Both requests of a home: two transactions."""
    return rf"\set u random(0, {last})" + "\n" + reading("/habits", f"""
  select habits.*, coalesce(logs.found, '[]') as habit_logs from habits left join lateral (
    select json_agg(log)::jsonb as found from (
      select habit_logs.* from habit_logs where habit_logs.log_date = '{day}' and habit_logs.habit_id = habits.id
    ) log) logs on true""") + reading("/hives", """
  select hives.*, coalesce(members.found, '[]') as hive_members from hives left join lateral (
    select json_agg(counted)::jsonb as found from (
      select count(*) from hive_members where hive_members.hive_id = hives.id) counted
    ) members on true""")


class Postgres:
    """A cluster of its own in a temporary directory, with what Debian's packages set and memory for all its rows."""

    def __init__(self, people, days, day, directory=None):
        self.people, self.days, self.day = people, days, day
        self.binaries = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.directory = tempfile.mkdtemp(prefix="daybook-bench-", dir=directory)
        shutil.chown(self.directory, "postgres", "postgres")

    def run(self, *command, text=None):
        done = subprocess.run(
            ["runuser", "-u", "postgres", "--", *command], input=text, text=True, capture_output=True, cwd="/")
        if done.returncode:
            raise SystemExit(f"{command[0]} failed: {done.stderr[:2000]}")
        return done.stdout

    def sql(self, text):
        return self.run("psql", "-h", self.directory, "-d", "postgres", "-q", "-v", "ON_ERROR_STOP=1", text=text)

    def start(self):
        data = os.path.join(self.directory, "data")
        if not os.path.exists(data):
            self.run(f"{self.binaries}/initdb", "-D", data, "--auth", "trust")
        self.run(
            f"{self.binaries}/pg_ctl", "-w", "-D", data, "-l", os.path.join(self.directory, "log"), "-o",
            f"-k {self.directory} -c listen_addresses='' -c shared_buffers=1GB -c synchronous_commit=on -c fsync=on"
            " -c max_wal_size=8GB", "start")
        return self

    def fill(self):
        members = [(hive, member, place) for hive, people in enumerate(hives(self.people))
                   for place, member in enumerate(people)]
        self.sql(SCHEMA)
        self.copy("profiles (id)", (account_key(number) for number in range(self.people)))
        self.copy("habits (id, user_id, name)", (
            f"{habit_key(number)}\t{account_key(number // HABITS)}\tHabit {number}"
            for number in range(self.people * HABITS)))
        self.copy("hives (id, owner_id, name)", (
            f"{hive_key(hive)}\t{account_key(member)}\tHive {hive}" for hive, member, place in members if place == 0))
        self.copy("hive_members (hive_id, user_id)", (
            f"{hive_key(hive)}\t{account_key(member)}" for hive, member, _ in members))
        self.sql(
            f"insert into habit_logs (habit_id, user_id, log_date, value) select h.id, h.user_id, date '{self.day}' - ago,"
            f" 1 + ago % 5 from habits h, generate_series(0, {self.days - 1}) ago; vacuum analyze; checkpoint;")

    def copy(self, columns, rows):
        text = "\n".join(rows)
        self.sql(f"copy {columns} from stdin;\n{text}\n\\.\n")

    def bench(self, kind, clients, seconds):
        """Requests per second, and the milliseconds that half of them and one in a hundred exceed; for `home`, of both requests together."""
        text = logging(self.people * HABITS - 1) if kind == "log" else home(self.people - 1, self.day)
        path = os.path.join(self.directory, f"{kind}.sql")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o644)
        prefix = os.path.join(self.directory, "latencies")
        for former in glob.glob(prefix + "*"):
            os.remove(former)
        self.run(
            f"{self.binaries}/pgbench", "-h", self.directory, "-n", "-M", "prepared", "-c", str(clients), "-j", "1",
            "-T", str(seconds), "-l", f"--log-prefix={prefix}", "-f", path, "postgres")
        times = sorted(
            int(line.split(None, 3)[2]) / 1000 for log in glob.glob(prefix + "*") for line in open(log, encoding="utf-8"))
        statements = 2 if kind == "home" else 1
        return {"rate": len(times) * statements / seconds,
                "p50": statistics.median(times), "p99": times[len(times) * 99 // 100]}

    def stop(self):
        self.run(f"{self.binaries}/pg_ctl", "-w", "-m", "fast", "-D", os.path.join(self.directory, "data"), "stop")

    def remove(self):
        shutil.rmtree(self.directory, ignore_errors=True)
