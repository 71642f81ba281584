"""PostgreSQL with HabitHive's tables, its function and the rows of the bench's book, asked by pgbench."""

import glob
import os
import shutil
import statistics
import subprocess
import tempfile

from bench_book import HABITS, account_key, habit_key, hive_key, hives

SCHEMA = """
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
create table hives (id uuid primary key, owner_id uuid not null references profiles, name text not null, emoji text,
  color_hex text not null default '#FF9F1C', type text not null default 'checkbox', target_per_day int not null default 1,
  rule text not null default 'all_must_complete', threshold int, schedule_daily boolean not null default true,
  schedule_weekmask int not null default 127, source_habit_id uuid, streak int not null default 0,
  last_advanced_on date, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
create table hive_members (hive_id uuid references hives, user_id uuid references profiles,
  role text not null default 'member', joined_at timestamptz not null default now(), primary key (hive_id, user_id));
create index on hive_members (user_id);
create table activity_events (id uuid primary key default gen_random_uuid(), actor_id uuid not null references profiles,
  habit_id uuid references habits, hive_id uuid references hives, type text not null, data jsonb not null default '{}',
  local_date date not null, created_at timestamptz not null default now(), unique (habit_id, local_date, type));

create function user_local_date(p_user uuid, p_at timestamptz) returns date language sql stable as $$
  select ((p_at at time zone timezone) - make_interval(hours => day_start_hour))::date from profiles where id = p_user
$$;

create function log_habit(p_user uuid, p_habit_id uuid, p_value int default 1, p_at timestamptz default now())
returns habit_logs language plpgsql as $$
declare v_habit habits; v_day date; v_row habit_logs;
begin
  select * into v_habit from habits where id = p_habit_id;
  if v_habit is null or v_habit.user_id <> p_user then raise exception 'habit not found'; end if;
  v_day := user_local_date(p_user, p_at);
  insert into habit_logs (habit_id, user_id, log_date, value)
    values (p_habit_id, p_user, v_day, least(greatest(p_value, 1), v_habit.target_per_day))
    on conflict (habit_id, log_date) do update set value = excluded.value, updated_at = now()
    returning * into v_row;
  insert into activity_events (actor_id, habit_id, type, data, local_date)
    values (p_user, p_habit_id, 'habit_completed', jsonb_build_object('value', v_row.value), v_day)
    on conflict do nothing;
  return v_row;
end $$;
"""

# pgbench's numbers become the keys; nothing is looked up for them.
USER = "('00000000-0000-4000-a000-' || lpad(to_hex(:u::int), 12, '0'))::uuid"
HABIT = "('00000000-0000-4000-8000-' || lpad(to_hex(:h::int), 12, '0'))::uuid"

LOG = rf"""\set h random(0, {{last}})
\set u :h / {HABITS}
\set v random(1, 5)
select row_to_json(log_habit({USER}, {HABIT}, :v::int));
"""

# Two statements, each committed by itself, as two requests are; a client of pgbench prepares what one script says alone.
HOME = rf"""\set u random(0, {{last}})
select coalesce(json_agg(found), '[]') from (select h.*, coalesce((select json_agg(l) from habit_logs l
  where l.habit_id = h.id and l.user_id = {USER} and l.log_date = '{{day}}'), '[]') as habit_logs
  from habits h where h.user_id = {USER} limit 1000) found;
select coalesce(json_agg(found), '[]') from (select h.*, (select json_agg(counted) from
  (select count(*) from hive_members m where m.hive_id = h.id) counted) as hive_members
  from hives h where exists (select from hive_members m where m.hive_id = h.id and m.user_id = {USER})
  limit 1000) found;
"""


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
        """Requests per second, and the milliseconds that half of them and one in a hundred exceed: of home, both together."""
        text = (LOG.format(last=self.people * HABITS - 1) if kind == "log"
                else HOME.format(last=self.people - 1, day=self.day))
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
