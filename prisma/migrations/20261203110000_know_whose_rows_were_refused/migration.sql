-- What is said of a data share's rows that could not be taken names a contact, a receipt or a line of one, and told nobody
-- whose these are, so that no erasure found it. From now on that stands beside it, as keyed hashes. Of what is there already
-- nobody can tell any more: it goes, and comes again when the row is read again. Those of receipts that were taken and made
-- no order stay: an erasure finds them by the receipt.
delete from "deliveries"
 where "type" = 'share' and "outcome" = 'failed' and "remote_id" is null
   and "kind" in ('contact_refused', 'order_refused', 'order_item_refused');
