-- Before anybody is asked anew it is counted which mails wait to be handed over from earlier days. They are a few among all
-- events that wait, which are many where a receiver is down.
create index webhook_deliveries_handed_idx on webhook_deliveries (client_id, webhook_id, subject)
  where state = 'pending' and event = 'invitation.handed';
