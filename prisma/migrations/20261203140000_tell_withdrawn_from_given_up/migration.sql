-- An event that was given up is a fault that somebody should look at; a handed mail that is not to be sent any more is none.
alter table "webhook_deliveries" drop constraint "webhook_deliveries_state_check";
alter table "webhook_deliveries" add constraint "webhook_deliveries_state_check"
  check (state in ('pending', 'sent', 'failed', 'withdrawn'));

-- Nothing is given up before its tenth try; a receiver may have been away for longer before a mail was withdrawn.
update "webhook_deliveries" set state = 'withdrawn'
 where state = 'failed' and event = 'invitation.handed'
   and (attempts < 10 or error in (
         'The invitation is gone: it was taken back, or its customer''s data were removed.',
         'The customer wants no more mail.', 'Nothing is left to ask the customer for.',
         'The customer was sent another mail since.'));
