-- What a client says for itself: why it leaves (LeaveGroup) and why it asks to join again (JoinGroup), Kafka's words.

CREATE OR REPLACE TEMP MACRO cause_of_leaving(asked) AS
  CASE WHEN asked ILIKE '%poll timeout%' OR asked ILIKE '%max.poll.interval%' THEN 'poll_timeout'
       WHEN asked ILIKE '%removed by an admin%' THEN 'admin' END;

CREATE OR REPLACE TEMP MACRO cause_of_asking(asked) AS
  CASE WHEN asked ILIKE '%need to revoke partitions%' THEN 'cooperative_follow_up'
       WHEN asked ILIKE '%cached metadata has changed%' THEN 'metadata_changed'
       WHEN asked ILIKE '%subscription has changed%' OR asked ILIKE '%does not match the current subscription%'
         THEN 'subscription_changed'
       WHEN asked ILIKE '%correct coordinator%' OR asked ILIKE '%NotCoordinator%' OR asked ILIKE '%NOT_COORDINATOR%'
         OR asked ILIKE '%coordinator is not available%' OR asked ILIKE '%COORDINATOR_NOT_AVAILABLE%' THEN 'coordinator_moved' END;
