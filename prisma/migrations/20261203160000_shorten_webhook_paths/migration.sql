-- Paths of webhook addresses carry secrets. The whole address is in sealed_url; what is shown, and what the audit noted of
-- it, is cut after eight characters of the path from now on, and here for what was kept before.
update webhooks set url = regexp_replace(url, '^([a-z]+://[^/]+/.{7}).+$', '\1…') where url ~ '^[a-z]+://[^/]+/.{8}' and url !~ '…$';

update audit_entries set detail = jsonb_set(detail, '{url}', to_jsonb(regexp_replace(detail->>'url', '^([a-z]+://[^/]+/.{7}).+$', '\1…')))
 where action like 'webhook.%' and detail->>'url' ~ '^[a-z]+://[^/]+/.{8}' and detail->>'url' !~ '…$';
