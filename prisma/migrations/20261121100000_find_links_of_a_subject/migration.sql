-- What is deleted takes its mailed links along: they are found without reading all of the client's.
CREATE INDEX "action_links_client_id_kind_subject_id_idx" ON "action_links"("client_id", "kind", "subject_id");
