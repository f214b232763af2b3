/**
 * The steps from an empty schema to the tables of a catalog, in order. A step that was released is never changed: a new one
 * follows it. `$schema` stands for the name of the schema.
 *
 * Definitions are of type `json`, not `jsonb`, so that numbers and the order of members stay as they were written.
 */
export const MIGRATIONS: readonly string[] = [
  `
  create table $schema.workspaces (
    slug text primary key check (slug ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
    policy json
  );
  create table $schema.operation_versions (
    workspace text not null references $schema.workspaces on delete cascade,
    operation text not null,
    version integer not null check (version > 0),
    status text not null check (status in ('draft', 'published')),
    title text,
    description text,
    annotations json,
    rest json not null,
    primary key (workspace, operation, version)
  );
  create table $schema.agents (
    workspace text not null references $schema.workspaces on delete cascade,
    slug text not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
    status text not null check (status in ('draft', 'published')),
    title text,
    instructions text,
    primary key (workspace, slug)
  );
  create table $schema.bindings (
    id bigint generated always as identity primary key,
    workspace text not null,
    agent text not null,
    operation text,
    version integer,
    route text,
    name text,
    title text,
    description text,
    annotations json,
    foreign key (workspace, agent) references $schema.agents on delete cascade,
    check ((operation is null) <> (route is null)),
    check (version is null or operation is not null)
  );
  create index on $schema.bindings (workspace, agent);
  -- A key outlives an agent that is taken away and put back: it names it, and does not refer to it.
  create table $schema.api_keys (
    prefix text primary key check (prefix ~ '^[0-9a-f]{16}$'),
    hash text not null check (hash ~ '^[0-9a-f]{64}$'),
    workspace text not null,
    agent text not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    label text
  );
  create function $schema.notify_catalog() returns trigger language plpgsql as $body$
  begin
    perform pg_notify(tg_table_schema || '_catalog', tg_table_name);
    return null;
  end
  $body$;
  create trigger changed after insert or update or delete or truncate on $schema.workspaces
    for each statement execute function $schema.notify_catalog();
  create trigger changed after insert or update or delete or truncate on $schema.operation_versions
    for each statement execute function $schema.notify_catalog();
  create trigger changed after insert or update or delete or truncate on $schema.agents
    for each statement execute function $schema.notify_catalog();
  create trigger changed after insert or update or delete or truncate on $schema.bindings
    for each statement execute function $schema.notify_catalog();
  create trigger changed after insert or update or delete or truncate on $schema.api_keys
    for each statement execute function $schema.notify_catalog();
  `,
];
