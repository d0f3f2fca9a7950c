-- Stands for Citus in tests: functions of the same names that write down what
-- they were asked for. Into a database of its own, by a superuser.
SET allow_system_table_mods = on;
CREATE SCHEMA fake;
CREATE TABLE fake.placed (name text, key text);
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    VALUES (99999, 'citus', 10, 11, false, '13.2');
CREATE FUNCTION pg_catalog.create_reference_table(name regclass) RETURNS void LANGUAGE sql
    AS 'INSERT INTO fake.placed VALUES (name, NULL)';
CREATE FUNCTION pg_catalog.create_distributed_table(name regclass, key text,
        colocate_with text DEFAULT 'default') RETURNS void LANGUAGE sql
    AS 'INSERT INTO fake.placed VALUES (name, key)';
CREATE FUNCTION pg_catalog.citus_total_relation_size(name regclass) RETURNS bigint
    LANGUAGE sql AS 'SELECT pg_total_relation_size(name)';
CREATE FUNCTION pg_catalog.citus_table_size(name regclass) RETURNS bigint
    LANGUAGE sql AS 'SELECT pg_table_size(name)';
