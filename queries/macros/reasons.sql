-- What the reason of a rebalance says. The words are Kafka's: the old coordinator's of 2.1 and later, the new one's,
-- and the client's own (KIP-800), which stand behind "; client reason: " or in a member's leave line.

CREATE OR REPLACE TEMP MACRO client_reason_of(reason) AS
  nullif(nullif(trim(regexp_extract(reason, '; client reason: (.*)$', 1, 's')), ''), 'not provided');

CREATE OR REPLACE TEMP MACRO members_of_reason(reason) AS
  CASE WHEN reason ILIKE 'explicit `LeaveGroup` request for (%'
         THEN member_ids_in(regexp_extract(reason, 'request for (\(.*\)) members', 1))
       WHEN reason ILIKE 'removing % on pending sync request expiration%'
         THEN member_ids_in(regexp_extract(reason, '(?i)^removing (.*) on pending sync', 1))
       WHEN reason ILIKE 'error % (member: %' THEN [regexp_extract(reason, '\(member: (.*?)\)\.?(?:;|$)', 1)]
       ELSE list_filter([regexp_extract(reason,
         '(?i)^(?:adding new member|updating metadata for static member|updating metadata for member|removing member|group''s selectedprotocol will change because static member|static member|leader|member) (.+?)(?: with group instance ?id .*| with instance id .*| during .*| on (?:leavegroup|heartbeat).*| is joining .*| joining .*| re-joining .*| joined .*|; client reason.*)?$', 1)],
         lambda id: id <> '') END;

-- The cause that the words give; what a member asked for is in `asked` (its KIP-800 reason, or NULL)
CREATE OR REPLACE TEMP MACRO cause_of_reason(reason, asked) AS
  CASE WHEN reason IS NULL THEN NULL
       WHEN reason ILIKE 'adding new member%' THEN 'member_joined'
       WHEN reason ILIKE '%heartbeat expiration%' THEN 'session_timeout'
       WHEN reason ILIKE '%pending sync request expiration%' THEN 'member_failed_to_sync'
       WHEN reason ILIKE 'group''s selectedprotocol will change%' THEN 'assignor_changed'
       WHEN reason ILIKE 'updating metadata for static member%' THEN 'static_replaced'
       WHEN reason ILIKE '%when storing group assignment%' THEN 'assignment_not_stored'
       WHEN reason ILIKE 'freshly-loaded group%over capacity%' THEN 'over_capacity'
       WHEN reason ILIKE 'downgrade group%' THEN 'protocol_migration'
       WHEN reason ILIKE '%leavegroup%' THEN coalesce(cause_of_leaving(asked), 'member_left')
       WHEN regexp_matches(reason, '(?i)^(leader|member|updating metadata for member) ') THEN coalesce(cause_of_asking(asked),
         CASE WHEN reason ILIKE 'leader %' THEN 'leader_rejoined' ELSE 'member_rejoined' END)
       ELSE 'unknown' END;
