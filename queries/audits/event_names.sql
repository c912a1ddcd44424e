-- name: event_names
-- row: a kind of event
-- grain: event
-- about: The closed vocabulary of `events.event`, and `other` for statements that are known but say nothing of a group.
-- column: event VARCHAR - its name
SELECT unnest([
  'group_preparing_rebalance', 'group_stabilized', 'assignment_received', 'group_empty', 'group_dead',
  'group_rebalance_failed', 'group_leader_replaced', 'members_removed_rebalance_timeout',
  'members_removed_sync_timeout', 'group_epoch_bumped', 'target_assignment_computed',
  'member_assignment_changed', 'group_converted', 'group_conversion_rejected', 'groups_deleted',
  'member_id_assigned', 'member_joined', 'member_left', 'pending_member_removed', 'member_expired',
  'member_fenced', 'member_loaded', 'static_member_joined', 'static_member_left', 'static_member_replaced',
  'static_member_unchanged', 'static_member_fenced', 'join_rejected', 'coordinator_elected',
  'coordinator_resigned', 'offsets_partition_load_started', 'offsets_partition_load_finished',
  'offsets_partition_load_failed', 'offsets_partition_unload_started', 'offsets_partition_unload_finished',
  'group_loaded', 'group_unloaded', 'coordinator_write_failed', 'offsets_expired', 'offsets_deleted',
  'broker_started', 'broker_stopping', 'broker_stopped', 'broker_fenced', 'partition_leader_start',
  'partition_leaderless', 'partition_registered', 'topic_created', 'isr_changed', 'client_config',
  'client_version', 'client_closed', 'client_crashed', 'subscription_changed', 'connection_lost',
  'coordinator_discovered', 'coordinator_unavailable', 'coordinator_lookup_failed', 'heartbeat_failed',
  'session_timeout', 'poll_timeout', 'leave_sent', 'leave_succeeded', 'leave_failed', 'join_started',
  'join_succeeded', 'join_failed', 'leader_elected', 'assignment_started', 'assignment_computed',
  'sync_succeeded', 'sync_failed', 'rejoin_requested', 'rebalance_noticed', 'generation_reset', 'fenced',
  'instance_fenced', 'member_state_changed', 'target_assignment_received', 'reconciliation_interrupted',
  'assignment_diff', 'partitions_assigned', 'partitions_revoked', 'partitions_lost',
  'rebalance_callback_failed', 'partition_count_changed', 'offsets_committed', 'offset_commit_failed',
  'committed_offset_applied', 'no_committed_offset', 'offset_reset', 'offset_out_of_range', 'log_truncation',
  'stream_thread_state_changed', 'streams_client_state_changed', 'streams_assignment_computed',
  'streams_assignment_handled', 'streams_followup_rebalance', 'task_restored', 'task_migrated',
  'stream_thread_failed', 'other'
]) AS event
