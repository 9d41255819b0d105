-- The first schema: everything the service keeps. Text compares in byte order (collation C), so that ids sort the
-- same in every database, whatever locale it was made with.

-- CreateTable
CREATE TABLE "accounts" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "demo" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT COLLATE "C" NOT NULL,
    "account_id" TEXT COLLATE "C",
    "username" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C",
    "password_hash" TEXT COLLATE "C" NOT NULL,
    "role" TEXT COLLATE "C" NOT NULL,
    "all_clients" BOOLEAN NOT NULL DEFAULT false,
    "session_version" INTEGER NOT NULL DEFAULT 1,
    "totp_secret" BYTEA,
    "locale" TEXT COLLATE "C",
    "demo" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" TIMESTAMPTZ(3),
    "last_sign_in_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_clients" (
    "user_id" TEXT COLLATE "C" NOT NULL,
    "client_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "user_clients_pkey" PRIMARY KEY ("user_id","client_id")
);

-- CreateTable
CREATE TABLE "portal_sessions" (
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "user_agent" TEXT COLLATE "C",
    "address" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "portal_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT COLLATE "C" NOT NULL,
    "account_id" TEXT COLLATE "C",
    "name" TEXT COLLATE "C" NOT NULL,
    "prefix" TEXT COLLATE "C" NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "scopes" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "demo" BOOLEAN NOT NULL DEFAULT false,
    "created_by" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key_clients" (
    "key_id" TEXT COLLATE "C" NOT NULL,
    "client_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "api_key_clients_pkey" PRIMARY KEY ("key_id","client_id")
);

-- CreateTable
CREATE TABLE "clients" (
    "id" TEXT COLLATE "C" NOT NULL,
    "account_id" TEXT COLLATE "C" NOT NULL,
    "locale" TEXT COLLATE "C" NOT NULL DEFAULT 'en_US',
    "display_name" TEXT COLLATE "C" NOT NULL,
    "email_name" TEXT COLLATE "C" NOT NULL,
    "contact_email" TEXT COLLATE "C",
    "contact_url" TEXT COLLATE "C",
    "send_emails_after_days" INTEGER NOT NULL DEFAULT 7,
    "send_emails_before_days" INTEGER NOT NULL DEFAULT 60,
    "send_limit" INTEGER NOT NULL DEFAULT 1000,
    "contract_send_limit" INTEGER,
    "quarantine_period" INTEGER,
    "min_review_words" INTEGER,
    "min_review_words_promoter" INTEGER,
    "collect_seller_reviews" BOOLEAN NOT NULL DEFAULT true,
    "collect_pros_cons" BOOLEAN NOT NULL DEFAULT true,
    "collect_questions" BOOLEAN NOT NULL DEFAULT true,
    "collect_recommended" BOOLEAN NOT NULL DEFAULT true,
    "own_moderation" BOOLEAN NOT NULL DEFAULT true,
    "auto_moderate" BOOLEAN NOT NULL DEFAULT false,
    "require_verification" BOOLEAN NOT NULL DEFAULT false,
    "must_agree_to_terms" BOOLEAN NOT NULL DEFAULT false,
    "must_agree_to_terms_web" BOOLEAN NOT NULL DEFAULT false,
    "external_review_locale" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "external_review_countries" TEXT COLLATE "C",
    "external_pro_reviews" BOOLEAN NOT NULL DEFAULT false,
    "external_user_reviews" BOOLEAN NOT NULL DEFAULT false,
    "expand_family" BOOLEAN NOT NULL DEFAULT false,
    "config" JSONB NOT NULL DEFAULT '{}',
    "custom_questions" JSONB NOT NULL DEFAULT '[]',
    "allowed_origins" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "rules" JSONB NOT NULL DEFAULT '{}',
    "public_key" TEXT COLLATE "C" NOT NULL,
    "demo" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "products" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "family_id" TEXT COLLATE "C" NOT NULL,
    "brand" TEXT COLLATE "C",
    "name" TEXT COLLATE "C" NOT NULL,
    "category" TEXT COLLATE "C",
    "url" TEXT COLLATE "C",
    "image_url" TEXT COLLATE "C",
    "mpn" TEXT COLLATE "C",
    "gtin14s" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "tags" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "match_status" TEXT COLLATE "C",
    "deleted" BOOLEAN NOT NULL DEFAULT false,
    "properties" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "products_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "feeds" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "format" TEXT COLLATE "C",
    "mapping" JSONB NOT NULL DEFAULT '{}',
    "schedule" TEXT COLLATE "C" NOT NULL,
    "etag" TEXT COLLATE "C",
    "last_modified" TEXT COLLATE "C",
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "last_run_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "feeds_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "feed_imports" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "feed_id" TEXT COLLATE "C",
    "kind" TEXT COLLATE "C" NOT NULL,
    "source" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "read" INTEGER NOT NULL DEFAULT 0,
    "created" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "deleted" INTEGER NOT NULL DEFAULT 0,
    "rejected" INTEGER NOT NULL DEFAULT 0,
    "report" JSONB NOT NULL DEFAULT '{}',
    "error" TEXT COLLATE "C",
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "feed_imports_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "customers" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C",
    "email" TEXT COLLATE "C",
    "email_key" TEXT COLLATE "C",
    "phone" TEXT COLLATE "C",
    "lang" TEXT COLLATE "C",
    "opt_out_by_order" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customers_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "customer_emails" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "customer_id" TEXT COLLATE "C" NOT NULL,
    "email_key" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customer_emails_pkey" PRIMARY KEY ("client_id","customer_id","email_key")
);

-- CreateTable
CREATE TABLE "orders" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "customer_id" TEXT COLLATE "C" NOT NULL,
    "store_name" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "order_items" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "order_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "family_id" TEXT COLLATE "C",
    "name" TEXT COLLATE "C",
    "category" TEXT COLLATE "C",
    "url" TEXT COLLATE "C",
    "image_url" TEXT COLLATE "C",
    "properties" JSONB NOT NULL DEFAULT '{}',
    "delivery_date" DATE,
    "reviewable_set" BOOLEAN,
    "reviewable" BOOLEAN NOT NULL,
    "held_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_items_pkey" PRIMARY KEY ("client_id","order_id","id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL DEFAULT 'invitation',
    "reminder_of" TEXT COLLATE "C",
    "customer_id" TEXT COLLATE "C",
    "email" TEXT COLLATE "C",
    "email_key" TEXT COLLATE "C",
    "name" TEXT COLLATE "C",
    "lang" TEXT COLLATE "C",
    "status" TEXT COLLATE "C" NOT NULL,
    "day" DATE NOT NULL,
    "mail_id" TEXT COLLATE "C",
    "error" TEXT COLLATE "C",
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "clicked_at" TIMESTAMPTZ(3),
    "reviewed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "invitation_items" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "invitation_id" TEXT COLLATE "C" NOT NULL,
    "order_id" TEXT COLLATE "C" NOT NULL,
    "item_id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "invitation_items_pkey" PRIMARY KEY ("client_id","invitation_id","order_id","item_id")
);

-- CreateTable
CREATE TABLE "quarantines" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "person_hash" TEXT COLLATE "C" NOT NULL,
    "last_day" DATE NOT NULL,

    CONSTRAINT "quarantines_pkey" PRIMARY KEY ("client_id","person_hash")
);

-- CreateTable
CREATE TABLE "send_days" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "day" DATE NOT NULL,
    "sent" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "send_days_pkey" PRIMARY KEY ("client_id","day")
);

-- CreateTable
CREATE TABLE "suppressions" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "email_hash" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("client_id","email_hash")
);

-- CreateTable
CREATE TABLE "mails" (
    "id" TEXT COLLATE "C" NOT NULL,
    "client_id" TEXT COLLATE "C",
    "idempotency_key" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "to" TEXT COLLATE "C" NOT NULL,
    "to_key" TEXT COLLATE "C" NOT NULL,
    "from" TEXT COLLATE "C" NOT NULL,
    "reply_to" TEXT COLLATE "C",
    "subject" TEXT COLLATE "C" NOT NULL,
    "html" TEXT COLLATE "C",
    "text" TEXT COLLATE "C",
    "headers" JSONB NOT NULL DEFAULT '{}',
    "status" TEXT COLLATE "C" NOT NULL,
    "provider" TEXT COLLATE "C",
    "provider_id" TEXT COLLATE "C",
    "error" TEXT COLLATE "C",
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reviews" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "external_id" TEXT COLLATE "C",
    "source" TEXT COLLATE "C" NOT NULL,
    "product_id" TEXT COLLATE "C",
    "family_id" TEXT COLLATE "C",
    "product_name" TEXT COLLATE "C",
    "product_url" TEXT COLLATE "C",
    "category" TEXT COLLATE "C",
    "author" TEXT COLLATE "C",
    "author_email" TEXT COLLATE "C",
    "email_key" TEXT COLLATE "C",
    "author_ip" TEXT COLLATE "C",
    "score" SMALLINT NOT NULL,
    "title" TEXT COLLATE "C",
    "extract" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "pros" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "cons" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "recommended" BOOLEAN,
    "answers" JSONB NOT NULL DEFAULT '{}',
    "lang" TEXT COLLATE "C",
    "date" DATE NOT NULL,
    "order_id" TEXT COLLATE "C",
    "customer_id" TEXT COLLATE "C",
    "invitation_id" TEXT COLLATE "C",
    "verified_buyer" BOOLEAN NOT NULL DEFAULT false,
    "verified_email" BOOLEAN NOT NULL DEFAULT false,
    "terms_agreed_at" TIMESTAMPTZ(3),
    "terms_version" TEXT COLLATE "C",
    "votes_up" INTEGER NOT NULL DEFAULT 0,
    "votes_down" INTEGER NOT NULL DEFAULT 0,
    "flag_count" INTEGER NOT NULL DEFAULT 0,
    "responses" JSONB NOT NULL DEFAULT '[]',
    "images" JSONB NOT NULL DEFAULT '[]',
    "accepted" BOOLEAN,
    "accepted_at" TIMESTAMPTZ(3),
    "reject_reason" TEXT COLLATE "C",
    "decided_at" TIMESTAMPTZ(3),
    "feedback_token" TEXT COLLATE "C" NOT NULL,
    "body" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reviews_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "seller_reviews" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "source" TEXT COLLATE "C" NOT NULL,
    "author" TEXT COLLATE "C",
    "author_email" TEXT COLLATE "C",
    "email_key" TEXT COLLATE "C",
    "author_ip" TEXT COLLATE "C",
    "score" SMALLINT NOT NULL,
    "title" TEXT COLLATE "C",
    "extract" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "answers" JSONB NOT NULL DEFAULT '{}',
    "lang" TEXT COLLATE "C",
    "date" DATE NOT NULL,
    "order_id" TEXT COLLATE "C",
    "customer_id" TEXT COLLATE "C",
    "invitation_id" TEXT COLLATE "C",
    "verified_buyer" BOOLEAN NOT NULL DEFAULT false,
    "verified_email" BOOLEAN NOT NULL DEFAULT false,
    "terms_agreed_at" TIMESTAMPTZ(3),
    "terms_version" TEXT COLLATE "C",
    "votes_up" INTEGER NOT NULL DEFAULT 0,
    "votes_down" INTEGER NOT NULL DEFAULT 0,
    "flag_count" INTEGER NOT NULL DEFAULT 0,
    "responses" JSONB NOT NULL DEFAULT '[]',
    "images" JSONB NOT NULL DEFAULT '[]',
    "accepted" BOOLEAN,
    "accepted_at" TIMESTAMPTZ(3),
    "reject_reason" TEXT COLLATE "C",
    "decided_at" TIMESTAMPTZ(3),
    "feedback_token" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "seller_reviews_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "questions" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "source" TEXT COLLATE "C" NOT NULL,
    "product_id" TEXT COLLATE "C",
    "family_id" TEXT COLLATE "C",
    "product_name" TEXT COLLATE "C",
    "product_url" TEXT COLLATE "C",
    "author" TEXT COLLATE "C",
    "author_email" TEXT COLLATE "C",
    "email_key" TEXT COLLATE "C",
    "author_ip" TEXT COLLATE "C",
    "customer_id" TEXT COLLATE "C",
    "question" TEXT COLLATE "C" NOT NULL,
    "details" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "answers_given" JSONB NOT NULL DEFAULT '{}',
    "lang" TEXT COLLATE "C",
    "date" DATE NOT NULL,
    "answers_version" INTEGER NOT NULL DEFAULT 0,
    "mail_answer" BOOLEAN NOT NULL DEFAULT false,
    "verified_email" BOOLEAN NOT NULL DEFAULT false,
    "terms_agreed_at" TIMESTAMPTZ(3),
    "terms_version" TEXT COLLATE "C",
    "votes_up" INTEGER NOT NULL DEFAULT 0,
    "votes_down" INTEGER NOT NULL DEFAULT 0,
    "flag_count" INTEGER NOT NULL DEFAULT 0,
    "images" JSONB NOT NULL DEFAULT '[]',
    "accepted" BOOLEAN,
    "accepted_at" TIMESTAMPTZ(3),
    "reject_reason" TEXT COLLATE "C",
    "decided_at" TIMESTAMPTZ(3),
    "feedback_token" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "questions_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "answers" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "question_id" TEXT COLLATE "C" NOT NULL,
    "author" TEXT COLLATE "C" NOT NULL,
    "from_seller" BOOLEAN NOT NULL DEFAULT true,
    "user_id" TEXT COLLATE "C",
    "answer" TEXT COLLATE "C" NOT NULL,
    "lang" TEXT COLLATE "C",
    "date" DATE NOT NULL,
    "accepted" BOOLEAN,
    "accepted_at" TIMESTAMPTZ(3),
    "reject_reason" TEXT COLLATE "C",
    "mailed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "answers_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "responses" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "author" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C",
    "extract" TEXT COLLATE "C" NOT NULL,
    "lang" TEXT COLLATE "C",
    "date" DATE NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "responses_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "votes" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "review_id" TEXT COLLATE "C" NOT NULL,
    "voter" TEXT COLLATE "C" NOT NULL,
    "value" SMALLINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "votes_pkey" PRIMARY KEY ("client_id","review_id","voter")
);

-- CreateTable
CREATE TABLE "flags" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "review_id" TEXT COLLATE "C" NOT NULL,
    "voter" TEXT COLLATE "C",
    "comment" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "flags_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "uploads" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "token" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "format" TEXT COLLATE "C" NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "sizes" JSONB NOT NULL,
    "bytes" INTEGER NOT NULL,
    "subject_kind" TEXT COLLATE "C",
    "subject_id" TEXT COLLATE "C",
    "claimed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("client_id","token")
);

-- CreateTable
CREATE TABLE "submissions" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "fingerprint" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "submissions_pkey" PRIMARY KEY ("client_id","fingerprint")
);

-- CreateTable
CREATE TABLE "product_summaries" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "product_id" TEXT COLLATE "C" NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,
    "sum" INTEGER NOT NULL DEFAULT 0,
    "c1" INTEGER NOT NULL DEFAULT 0,
    "c2" INTEGER NOT NULL DEFAULT 0,
    "c3" INTEGER NOT NULL DEFAULT 0,
    "c4" INTEGER NOT NULL DEFAULT 0,
    "c5" INTEGER NOT NULL DEFAULT 0,
    "version" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "product_summaries_pkey" PRIMARY KEY ("client_id","product_id")
);

-- CreateTable
CREATE TABLE "family_summaries" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "family_id" TEXT COLLATE "C" NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,
    "sum" INTEGER NOT NULL DEFAULT 0,
    "c1" INTEGER NOT NULL DEFAULT 0,
    "c2" INTEGER NOT NULL DEFAULT 0,
    "c3" INTEGER NOT NULL DEFAULT 0,
    "c4" INTEGER NOT NULL DEFAULT 0,
    "c5" INTEGER NOT NULL DEFAULT 0,
    "version" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "family_summaries_pkey" PRIMARY KEY ("client_id","family_id")
);

-- CreateTable
CREATE TABLE "seller_summaries" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,
    "sum" INTEGER NOT NULL DEFAULT 0,
    "c1" INTEGER NOT NULL DEFAULT 0,
    "c2" INTEGER NOT NULL DEFAULT 0,
    "c3" INTEGER NOT NULL DEFAULT 0,
    "c4" INTEGER NOT NULL DEFAULT 0,
    "c5" INTEGER NOT NULL DEFAULT 0,
    "version" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "seller_summaries_pkey" PRIMARY KEY ("client_id")
);

-- CreateTable
CREATE TABLE "external_totals" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "product_id" TEXT COLLATE "C" NOT NULL,
    "source" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "locale" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "country" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "count" INTEGER NOT NULL,
    "score_dist" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "url" TEXT COLLATE "C",
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "external_totals_pkey" PRIMARY KEY ("client_id","product_id","kind","source","locale","country")
);

-- CreateTable
CREATE TABLE "moderation_events" (
    "id" BIGSERIAL NOT NULL,
    "client_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_kind" TEXT COLLATE "C" NOT NULL,
    "actor_id" TEXT COLLATE "C",
    "action" TEXT COLLATE "C" NOT NULL,
    "from_state" TEXT COLLATE "C",
    "to_state" TEXT COLLATE "C",
    "reason" TEXT COLLATE "C",
    "texts" JSONB,

    CONSTRAINT "moderation_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "moderation_findings" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "rule" TEXT COLLATE "C" NOT NULL,
    "field" TEXT COLLATE "C" NOT NULL,
    "span_start" INTEGER NOT NULL,
    "span_end" INTEGER NOT NULL,
    "suggested" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "moderation_findings_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "action_links" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "purpose" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "email_key" TEXT COLLATE "C",
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "action_links_pkey" PRIMARY KEY ("client_id","hash")
);

-- CreateTable
CREATE TABLE "deletion_requests" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "person_hash" TEXT COLLATE "C" NOT NULL,
    "sealed" BYTEA,
    "status" TEXT COLLATE "C" NOT NULL,
    "requested_by" TEXT COLLATE "C" NOT NULL,
    "removed" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "deletion_requests_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "account_id" TEXT COLLATE "C",
    "client_id" TEXT COLLATE "C",
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_kind" TEXT COLLATE "C" NOT NULL,
    "actor_id" TEXT COLLATE "C",
    "action" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C",
    "detail" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "integrations" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "secrets" BYTEA,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "state" JSONB NOT NULL DEFAULT '{}',
    "error" TEXT COLLATE "C",
    "last_run_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "integrations_pkey" PRIMARY KEY ("client_id","type")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "target_id" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "kind" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "outcome" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C",
    "remote_id" TEXT COLLATE "C",
    "payload" JSONB,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "webhooks" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "events" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "secrets" BYTEA NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "scope" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "client_id" TEXT COLLATE "C",
    "body_hash" TEXT COLLATE "C" NOT NULL,
    "status" INTEGER,
    "answer" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("scope","key")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "client_id" TEXT COLLATE "C",
    "name" TEXT COLLATE "C" NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "available_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "relayed_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_runs" (
    "id" TEXT COLLATE "C" NOT NULL,
    "function_id" TEXT COLLATE "C" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "event" JSONB NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "clock_at" TIMESTAMPTZ(3),
    "parent_id" TEXT COLLATE "C",
    "parent_step" TEXT COLLATE "C",
    "output" JSONB,
    "error" JSONB,
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "wake_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_steps" (
    "run_id" TEXT COLLATE "C" NOT NULL,
    "step_id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "op" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "data" JSONB,
    "error" JSONB,
    "wait_for" TEXT COLLATE "C",
    "wait_if" TEXT COLLATE "C",
    "wake_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_steps_pkey" PRIMARY KEY ("run_id","step_id")
);

-- CreateTable
CREATE TABLE "saved_views" (
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "client_id" TEXT COLLATE "C",
    "page" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "query" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_username_key" ON "users"("username");

-- CreateIndex
CREATE INDEX "users_account_id_idx" ON "users"("account_id");

-- CreateIndex
CREATE INDEX "user_clients_client_id_idx" ON "user_clients"("client_id");

-- CreateIndex
CREATE INDEX "portal_sessions_user_id_idx" ON "portal_sessions"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_secret_hash_key" ON "api_keys"("secret_hash");

-- CreateIndex
CREATE INDEX "api_key_clients_client_id_idx" ON "api_key_clients"("client_id");

-- CreateIndex
CREATE UNIQUE INDEX "clients_public_key_key" ON "clients"("public_key");

-- CreateIndex
CREATE INDEX "clients_account_id_idx" ON "clients"("account_id");

-- CreateIndex
CREATE INDEX "products_client_id_family_id_id_idx" ON "products"("client_id", "family_id", "id");

-- CreateIndex
CREATE INDEX "feed_imports_client_id_started_at_id_idx" ON "feed_imports"("client_id", "started_at", "id");

-- CreateIndex
CREATE INDEX "customers_client_id_email_key_idx" ON "customers"("client_id", "email_key");

-- CreateIndex
CREATE INDEX "customer_emails_client_id_email_key_idx" ON "customer_emails"("client_id", "email_key");

-- CreateIndex
CREATE INDEX "orders_client_id_created_at_id_idx" ON "orders"("client_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "orders_client_id_customer_id_created_at_id_idx" ON "orders"("client_id", "customer_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "order_items_client_id_delivery_date_order_id_id_idx" ON "order_items"("client_id", "delivery_date", "order_id", "id") WHERE (reviewable AND delivery_date IS NOT NULL);

-- CreateIndex
CREATE INDEX "invitations_client_id_created_at_id_idx" ON "invitations"("client_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "invitations_client_id_email_key_idx" ON "invitations"("client_id", "email_key");

-- CreateIndex
CREATE INDEX "invitations_client_id_customer_id_idx" ON "invitations"("client_id", "customer_id");

-- CreateIndex
CREATE INDEX "invitations_client_id_claimed_at_idx" ON "invitations"("client_id", "claimed_at") WHERE (status = 'claimed');

-- CreateIndex
CREATE UNIQUE INDEX "invitation_items_client_id_order_id_item_id_key" ON "invitation_items"("client_id", "order_id", "item_id");

-- CreateIndex
CREATE UNIQUE INDEX "mails_idempotency_key_key" ON "mails"("idempotency_key");

-- CreateIndex
CREATE INDEX "mails_created_at_id_idx" ON "mails"("created_at", "id");

-- CreateIndex
CREATE INDEX "mails_to_key_created_at_id_idx" ON "mails"("to_key", "created_at", "id");

-- CreateIndex
CREATE INDEX "mails_client_id_created_at_idx" ON "mails"("client_id", "created_at");

-- CreateIndex
CREATE INDEX "mails_provider_id_idx" ON "mails"("provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "reviews_feedback_token_key" ON "reviews"("feedback_token");

-- CreateIndex
CREATE INDEX "reviews_client_id_created_at_id_idx" ON "reviews"("client_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "reviews_client_id_updated_at_id_idx" ON "reviews"("client_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "reviews_pending_created_idx" ON "reviews"("client_id", "created_at", "id") WHERE (accepted IS NULL);

-- CreateIndex
CREATE INDEX "reviews_pending_updated_idx" ON "reviews"("client_id", "updated_at", "id") WHERE (accepted IS NULL);

-- CreateIndex
CREATE INDEX "reviews_rejected_created_idx" ON "reviews"("client_id", "created_at", "id") WHERE (accepted = false);

-- CreateIndex
CREATE INDEX "reviews_rejected_updated_idx" ON "reviews"("client_id", "updated_at", "id") WHERE (accepted = false);

-- CreateIndex
CREATE INDEX "reviews_product_idx" ON "reviews"("client_id", "product_id", "created_at", "id") WHERE (accepted);

-- CreateIndex
CREATE INDEX "reviews_family_idx" ON "reviews"("client_id", "family_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "reviews_client_id_order_id_created_at_id_idx" ON "reviews"("client_id", "order_id", "created_at", "id") WHERE (order_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "reviews_client_id_customer_id_created_at_id_idx" ON "reviews"("client_id", "customer_id", "created_at", "id") WHERE (customer_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "reviews_client_id_email_key_idx" ON "reviews"("client_id", "email_key") WHERE (email_key IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "reviews_client_id_external_id_key" ON "reviews"("client_id", "external_id") WHERE (external_id IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "seller_reviews_feedback_token_key" ON "seller_reviews"("feedback_token");

-- CreateIndex
CREATE INDEX "seller_reviews_client_id_created_at_id_idx" ON "seller_reviews"("client_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "seller_reviews_client_id_updated_at_id_idx" ON "seller_reviews"("client_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "seller_reviews_pending_idx" ON "seller_reviews"("client_id", "created_at", "id") WHERE (accepted IS NULL);

-- CreateIndex
CREATE INDEX "seller_reviews_client_id_customer_id_idx" ON "seller_reviews"("client_id", "customer_id") WHERE (customer_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "seller_reviews_client_id_email_key_idx" ON "seller_reviews"("client_id", "email_key") WHERE (email_key IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "seller_reviews_client_id_invitation_id_key" ON "seller_reviews"("client_id", "invitation_id") WHERE (invitation_id IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "questions_feedback_token_key" ON "questions"("feedback_token");

-- CreateIndex
CREATE INDEX "questions_client_id_created_at_id_idx" ON "questions"("client_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "questions_client_id_updated_at_id_idx" ON "questions"("client_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "questions_pending_idx" ON "questions"("client_id", "created_at", "id") WHERE (accepted IS NULL);

-- CreateIndex
CREATE INDEX "questions_client_id_family_id_created_at_id_idx" ON "questions"("client_id", "family_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "questions_client_id_product_id_created_at_id_idx" ON "questions"("client_id", "product_id", "created_at", "id") WHERE (product_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "questions_client_id_customer_id_idx" ON "questions"("client_id", "customer_id") WHERE (customer_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "questions_client_id_email_key_idx" ON "questions"("client_id", "email_key") WHERE (email_key IS NOT NULL);

-- CreateIndex
CREATE INDEX "answers_client_id_question_id_created_at_idx" ON "answers"("client_id", "question_id", "created_at");

-- CreateIndex
CREATE INDEX "responses_client_id_kind_subject_id_created_at_idx" ON "responses"("client_id", "kind", "subject_id", "created_at");

-- CreateIndex
CREATE INDEX "flags_client_id_review_id_idx" ON "flags"("client_id", "review_id");

-- CreateIndex
CREATE INDEX "flags_client_id_created_at_id_idx" ON "flags"("client_id", "created_at", "id") WHERE (resolved_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "uploads_key_key" ON "uploads"("key");

-- CreateIndex
CREATE INDEX "uploads_client_id_subject_kind_subject_id_idx" ON "uploads"("client_id", "subject_kind", "subject_id");

-- CreateIndex
CREATE INDEX "uploads_created_at_idx" ON "uploads"("created_at") WHERE (claimed_at IS NULL);

-- CreateIndex
CREATE INDEX "submissions_created_at_idx" ON "submissions"("created_at");

-- CreateIndex
CREATE INDEX "moderation_events_client_id_kind_subject_id_id_idx" ON "moderation_events"("client_id", "kind", "subject_id", "id");

-- CreateIndex
CREATE INDEX "moderation_findings_client_id_kind_subject_id_idx" ON "moderation_findings"("client_id", "kind", "subject_id");

-- CreateIndex
CREATE INDEX "action_links_client_id_email_key_created_at_idx" ON "action_links"("client_id", "email_key", "created_at");

-- CreateIndex
CREATE INDEX "deletion_requests_client_id_created_at_id_idx" ON "deletion_requests"("client_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "deletion_requests_client_id_person_hash_key" ON "deletion_requests"("client_id", "person_hash") WHERE (status <> 'done');

-- CreateIndex
CREATE INDEX "audit_entries_client_id_at_id_idx" ON "audit_entries"("client_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_account_id_at_id_idx" ON "audit_entries"("account_id", "at", "id");

-- CreateIndex
CREATE INDEX "deliveries_client_id_type_created_at_id_idx" ON "deliveries"("client_id", "type", "created_at", "id");

-- CreateIndex
CREATE INDEX "deliveries_due_at_idx" ON "deliveries"("due_at") WHERE (outcome = 'pending');

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_client_id_type_target_id_kind_subject_key" ON "deliveries"("client_id", "type", "target_id", "kind", "subject");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE INDEX "outbox_available_at_id_idx" ON "outbox"("available_at", "id") WHERE (relayed_at IS NULL);

-- CreateIndex
CREATE INDEX "outbox_relayed_at_idx" ON "outbox"("relayed_at") WHERE (relayed_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "job_runs_queued_at_id_idx" ON "job_runs"("queued_at", "id");

-- CreateIndex
CREATE INDEX "job_runs_function_id_queued_at_idx" ON "job_runs"("function_id", "queued_at");

-- CreateIndex
CREATE INDEX "job_runs_ended_at_idx" ON "job_runs"("ended_at") WHERE (ended_at IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "job_runs_function_id_event_id_key" ON "job_runs"("function_id", "event_id");

-- CreateIndex
CREATE INDEX "job_steps_wait_for_idx" ON "job_steps"("wait_for") WHERE (status = 'waiting');

-- CreateIndex
CREATE INDEX "saved_views_user_id_page_idx" ON "saved_views"("user_id", "page");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_clients" ADD CONSTRAINT "user_clients_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_clients" ADD CONSTRAINT "user_clients_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal_sessions" ADD CONSTRAINT "portal_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_clients" ADD CONSTRAINT "api_key_clients_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_clients" ADD CONSTRAINT "api_key_clients_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "clients" ADD CONSTRAINT "clients_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feeds" ADD CONSTRAINT "feeds_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feed_imports" ADD CONSTRAINT "feed_imports_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customers" ADD CONSTRAINT "customers_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer_emails" ADD CONSTRAINT "customer_emails_client_id_customer_id_fkey" FOREIGN KEY ("client_id", "customer_id") REFERENCES "customers"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_client_id_customer_id_fkey" FOREIGN KEY ("client_id", "customer_id") REFERENCES "customers"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_client_id_order_id_fkey" FOREIGN KEY ("client_id", "order_id") REFERENCES "orders"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation_items" ADD CONSTRAINT "invitation_items_client_id_invitation_id_fkey" FOREIGN KEY ("client_id", "invitation_id") REFERENCES "invitations"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quarantines" ADD CONSTRAINT "quarantines_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "send_days" ADD CONSTRAINT "send_days_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "seller_reviews" ADD CONSTRAINT "seller_reviews_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "questions" ADD CONSTRAINT "questions_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "answers" ADD CONSTRAINT "answers_client_id_question_id_fkey" FOREIGN KEY ("client_id", "question_id") REFERENCES "questions"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "votes" ADD CONSTRAINT "votes_client_id_review_id_fkey" FOREIGN KEY ("client_id", "review_id") REFERENCES "reviews"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "flags" ADD CONSTRAINT "flags_client_id_review_id_fkey" FOREIGN KEY ("client_id", "review_id") REFERENCES "reviews"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "product_summaries" ADD CONSTRAINT "product_summaries_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "family_summaries" ADD CONSTRAINT "family_summaries_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "seller_summaries" ADD CONSTRAINT "seller_summaries_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "external_totals" ADD CONSTRAINT "external_totals_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "moderation_events" ADD CONSTRAINT "moderation_events_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "moderation_findings" ADD CONSTRAINT "moderation_findings_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "action_links" ADD CONSTRAINT "action_links_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deletion_requests" ADD CONSTRAINT "deletion_requests_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_steps" ADD CONSTRAINT "job_steps_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "job_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;


