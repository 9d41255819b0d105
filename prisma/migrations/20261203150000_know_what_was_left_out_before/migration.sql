-- A feed whose server answers that nothing changed is not read again, so what was left out of it before that was noted would
-- never be known: it stands in its last import that was read.
update "feeds" f set last_read = i.read, last_rejected = i.rejected
  from (select distinct on (client_id, feed_id) client_id, feed_id, read, rejected
          from feed_imports where feed_id is not null and status = 'done'
         order by client_id, feed_id, started_at desc, id desc) i
 where i.client_id = f.client_id and i.feed_id = f.id and f.last_read is null;
