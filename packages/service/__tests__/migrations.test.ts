import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { migrations } from '../src/slots.ts';
import { emptyDatabase } from './support/postgres.ts';

/**
 * A release runs together with the one before it while processes are renewed one after another, and the one before must be able
 * to come back. So a migration may only add what a release that does not know it can live with.
 */

/** Written before there was a release that could run together with another. Append nothing. */
const beforeTheRule: Readonly<Record<string, readonly string[]>> = {
  '0011_sealed_keys': [
    'column signing_keys.private_jwk is dropped or renamed',
    'column signing_keys.private_key is required and has no default',
  ],
};

interface Column {
  readonly type: string;
  readonly required: boolean;
  /** An insert that does not name it succeeds. */
  readonly filled: boolean;
}

interface Rule {
  readonly table: string;
  readonly columns: readonly string[];
  readonly says: string;
  /** `on conflict` of an earlier release may name it. */
  readonly unique: boolean;
}

/** What PostgreSQL says the schema is. */
interface Catalogue {
  readonly tables: ReadonlySet<string>;
  readonly columns: ReadonlyMap<string, Column>;
  readonly rules: ReadonlyMap<string, Rule>;
}

async function readCatalogue(db: Kysely<unknown>): Promise<Catalogue> {
  const columns = await sql<Column & { readonly relation: string; readonly name: string }>`
    select c.relname as relation, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as required, a.atthasdef or a.attidentity <> '' or not a.attnotnull as filled
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')`.execute(db);
  // What makes an insert or update fail; expressions of an index have no column of their own.
  const rules = await sql<Rule & { readonly name: string }>`
    select conname as name, conrelid::regclass::text as table, contype in ('p', 'u') as unique,
      pg_get_constraintdef(oid) as says,
      array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns
    from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select indexrelid::regclass::text, indrelid::regclass::text, true, pg_get_indexdef(indexrelid),
      array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any(indkey::int2[]))
    from pg_index join pg_class c on c.oid = indexrelid
    where indisunique and c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid)`.execute(db);
  return {
    tables: new Set(columns.rows.map(({ relation }) => relation)),
    columns: new Map(columns.rows.map((column) => [`${column.relation}.${column.name}`, column])),
    rules: new Map(rules.rows.map((rule) => [`${rule.table}: ${rule.name}`, rule])),
  };
}

/** What a release that knows `before` cannot live with in `after`. */
function faultsBetween(before: Catalogue, after: Catalogue): readonly string[] {
  const faults: string[] = [];
  const tableOf = (column: string): string => column.split('.')[0] ?? '';
  for (const table of before.tables)
    if (!after.tables.has(table)) faults.push(`table ${table} is dropped or renamed`);
  for (const [name, was] of before.columns) {
    const is = after.columns.get(name);
    if (!after.tables.has(tableOf(name))) continue;
    if (is === undefined) faults.push(`column ${name} is dropped or renamed`);
    else if (is.type !== was.type) faults.push(`column ${name} changes from ${was.type} to ${is.type}`);
    else if (is.required && !was.required) faults.push(`column ${name} becomes required`);
    else if (was.filled && !is.filled) faults.push(`column ${name} loses its default`);
  }
  for (const [name, is] of after.columns) {
    if (before.tables.has(tableOf(name)) && !before.columns.has(name) && !is.filled)
      faults.push(`column ${name} is required and has no default`);
  }
  for (const [name, is] of after.rules) {
    const concernsOld =
      is.columns.length === 0 || is.columns.some((column) => before.columns.has(`${is.table}.${column}`));
    if (before.tables.has(is.table) && concernsOld && before.rules.get(name)?.says !== is.says)
      faults.push(`rule ${name} is new to what an earlier release writes`);
  }
  for (const [name, was] of before.rules) {
    if (was.unique && after.tables.has(was.table) && !after.rules.has(name))
      faults.push(`rule ${name}, which \`on conflict\` may name, is dropped`);
  }
  return faults;
}

describe('a migration', () => {
  let db: Kysely<unknown>;
  beforeAll(async () => {
    const pool = new Pool({ connectionString: await emptyDatabase(), max: 1 });
    db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  });
  afterAll(() => db.destroy());

  it('only adds what the release before can live with', async () => {
    const found: Record<string, readonly string[]> = {};
    for (const [name, { up }] of Object.entries(migrations)) {
      const before = await readCatalogue(db);
      await up(db);
      const faults = faultsBetween(before, await readCatalogue(db));
      if (faults.length > 0) found[name] = faults;
    }
    expect(found).toEqual(beforeTheRule);
  });

  it.each([
    ['drop table audit_log', ['table audit_log is dropped or renamed']],
    ['alter table users drop column first_name', ['column users.first_name is dropped or renamed']],
    [
      'alter table users rename column email to mail',
      ['column users.email is dropped or renamed', 'column users.mail is required and has no default'],
    ],
    [
      'alter table users alter column factors_version type bigint',
      ['column users.factors_version changes from integer to bigint'],
    ],
    ['alter table links alter column api_user set not null', ['column links.api_user becomes required']],
    [
      'alter table users alter column factors_version drop default',
      ['column users.factors_version loses its default'],
    ],
    ['alter table users add column born date not null', ['column users.born is required and has no default']],
    [
      `alter table users add constraint grown check (email <> '')`,
      ['rule users: grown is new to what an earlier release writes'],
    ],
    [
      'create unique index one_mailbox on users (lower(email))',
      ['rule users: one_mailbox is new to what an earlier release writes'],
    ],
    [
      "alter table audit_log drop constraint audit_log_outcome_check, add constraint audit_log_outcome_check check (outcome in ('success'))",
      ['rule audit_log: audit_log_outcome_check is new to what an earlier release writes'],
    ],
    [
      'alter table mfa_enrolments drop constraint mfa_enrolments_uid_type',
      ['rule mfa_enrolments: mfa_enrolments_uid_type, which `on conflict` may name, is dropped'],
    ],
    ['alter table users add column born date', []],
    ['alter table users add column logins integer not null default 0 check (logins >= 0)', []],
    [
      'create table notes (id text primary key, uid text not null references users (uid), says text not null)',
      [],
    ],
    ['create index users_by_name on users (last_name)', []],
    ['alter table links alter column is_magic drop not null', []],
  ])('%s: %j', async (statement, faults) => {
    const trx = await db.startTransaction().execute();
    try {
      const before = await readCatalogue(trx);
      await sql.raw(statement).execute(trx);
      expect(faultsBetween(before, await readCatalogue(trx))).toEqual(faults);
    } finally {
      await trx.rollback().execute();
    }
  });
});
