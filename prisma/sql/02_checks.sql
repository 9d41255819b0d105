-- Constraints for every row.
alter table answers
  add constraint answers_reason_check check (reject_reason is null or accepted = false),
  add constraint answers_accepted_at_check check ((accepted_at is not null) = (accepted is true));
alter table clients
  add constraint clients_limits_check check (
  send_emails_after_days >= 0 and send_emails_before_days >= send_emails_after_days and send_limit >= 0
  and (contract_send_limit is null or send_limit <= contract_send_limit)
  and (quarantine_period is null or quarantine_period >= 0)),
  add constraint clients_test_days_check check (test_days >= 0);
alter table digests
  add constraint digests_every_check check (every in ('day', 'week')),
  add constraint digests_hour_check check (hour between 0 and 23);
alter table erased_hashes add constraint erased_hashes_what_check
  check (what in ('order', 'contact', 'receipt', 'customer', 'email', 'address', 'shop'));
alter table external_totals
  add constraint external_totals_kind_check check (kind in ('pro', 'user')),
  add constraint external_totals_count_check check (count >= 0 and cardinality(score_dist) = 5 and 0 <= all (score_dist));
alter table feeds
  add constraint feeds_last_outcome_check check (last_outcome in ('imported', 'unchanged', 'refused', 'failed'));
alter table integration_runs
  add constraint integration_runs_outcome_check check (outcome in ('running', 'done', 'failed'));
alter table item_notes add constraint item_notes_action_check
  check (action in ('held', 'released', 'sent', 'excluded', 'included'));
alter table lasting_secret
  add constraint lasting_secret_one_check check (one),
  add constraint lasting_secret_key_id_check check (key_id ~ '^[0-9a-f]{8}$');
alter table log_position add constraint log_position_one_check check (one);
alter table moderation_findings
  add constraint moderation_findings_span_check check (span_start between 0 and span_end),
  add constraint moderation_findings_suggested_check check (suggested in ('hold', 'reject'));
alter table notifications add constraint notifications_count_check check (count > 0);
alter table orders add constraint orders_value_check check (value >= 0);
alter table password_links add constraint password_links_kind_check check (kind in ('invitation', 'reset'));
alter table product_summaries add constraint product_summaries_count_check check (count = c1 + c2 + c3 + c4 + c5);
alter table family_summaries add constraint family_summaries_count_check check (count = c1 + c2 + c3 + c4 + c5);
alter table seller_summaries add constraint seller_summaries_count_check check (count = c1 + c2 + c3 + c4 + c5);
alter table questions
  add constraint questions_reason_check check (reject_reason is null or accepted = false),
  add constraint questions_accepted_at_check check ((accepted_at is not null) = (accepted is true)),
  add constraint questions_verification_check check (verification in ('due', 'mailed'));
alter table review_facets add constraint review_facets_kind_check check (kind in ('product', 'family'));
alter table review_imports
  add constraint review_imports_kind_check check (kind in ('reviews', 'seller_reviews', 'questions')),
  add constraint review_imports_status_check check (status in
    ('uploaded', 'checking', 'checked', 'importing', 'imported', 'failed', 'undoing', 'undone')),
  add constraint review_imports_failed_step_check check ((status = 'failed') = (failed_step is not null) and failed_step in ('check', 'import', 'undo'));
alter table reviews
  add constraint reviews_score_check check (score between 1 and 5),
  add constraint reviews_reason_check check (reject_reason is null or accepted = false),
  add constraint reviews_accepted_at_check check ((accepted_at is not null) = (accepted is true)),
  add constraint reviews_source_check check (source in ('invitation', 'web', 'collect', 'api', 'import')),
  add constraint reviews_subject_check check (product_id is not null or family_id is not null),
  add constraint reviews_verification_check check (verification in ('due', 'mailed'));
alter table seller_reviews
  add constraint seller_reviews_score_check check (score between 1 and 5),
  add constraint seller_reviews_reason_check check (reject_reason is null or accepted = false),
  add constraint seller_reviews_accepted_at_check check ((accepted_at is not null) = (accepted is true));
alter table share_rows
  add constraint share_rows_part_check check (part in ('stores', 'articles', 'contacts', 'receipts', 'items'));
alter table user_clients add constraint user_clients_role_check check (role in ('admin', 'moderator', 'viewer'));
alter table users
  add constraint users_role_check check (role in ('operator', 'admin', 'moderator', 'viewer')),
  add constraint users_account_check check (role = 'operator' or account_id is not null or not all_clients);
alter table votes add constraint votes_value_check check (value in (1, -1));
alter table webhook_deliveries
  add constraint webhook_deliveries_state_check check (state in ('pending', 'sent', 'failed', 'withdrawn'));
alter table webhooks add constraint webhooks_disabled_reason_check check (disabled_reason in ('gone', 'failing'));
