-- >>> 20261121060000_init
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


-- >>> 20261121060100_keep_derived_data
-- What the database itself keeps true, whoever writes: the public JSON of a review, the moment it last changed for a
-- reader, the counts of accepted reviews, the append-only history. Statement-level triggers see all rows of a
-- statement at once, so a batch of a hundred reviews of one product costs one counter update.

-- ── Rules that hold for every row ────────────────────────────────────────────────────────────────────────────────

alter table reviews
  add constraint reviews_score_check check (score between 1 and 5),
  add constraint reviews_reason_check check (reject_reason is null or accepted = false),
  add constraint reviews_accepted_at_check check ((accepted_at is not null) = (accepted is true)),
  add constraint reviews_source_check check (source in ('invitation', 'web', 'collect', 'api', 'import')),
  add constraint reviews_subject_check check (product_id is not null or family_id is not null);
alter table seller_reviews
  add constraint seller_reviews_score_check check (score between 1 and 5),
  add constraint seller_reviews_reason_check check (reject_reason is null or accepted = false),
  add constraint seller_reviews_accepted_at_check check ((accepted_at is not null) = (accepted is true));
alter table questions
  add constraint questions_reason_check check (reject_reason is null or accepted = false),
  add constraint questions_accepted_at_check check ((accepted_at is not null) = (accepted is true));
alter table answers
  add constraint answers_reason_check check (reject_reason is null or accepted = false),
  add constraint answers_accepted_at_check check ((accepted_at is not null) = (accepted is true));
alter table users
  add constraint users_role_check check (role in ('operator', 'admin', 'moderator', 'viewer')),
  add constraint users_account_check check (role = 'operator' or account_id is not null or not all_clients);
alter table votes add constraint votes_value_check check (value in (1, -1));
alter table clients
  add constraint clients_limits_check check (
    send_emails_after_days >= 0 and send_emails_before_days >= send_emails_after_days and send_limit >= 0
    and (contract_send_limit is null or send_limit <= contract_send_limit)
    and (quarantine_period is null or quarantine_period >= 0));
alter table product_summaries add constraint product_summaries_count_check check (count = c1 + c2 + c3 + c4 + c5);
alter table family_summaries add constraint family_summaries_count_check check (count = c1 + c2 + c3 + c4 + c5);
alter table seller_summaries add constraint seller_summaries_count_check check (count = c1 + c2 + c3 + c4 + c5);
alter table product_summaries set (fillfactor = 50);
alter table family_summaries set (fillfactor = 50);
alter table seller_summaries set (fillfactor = 50);
alter table reviews set (fillfactor = 85);

-- ── The public JSON of a review ──────────────────────────────────────────────────────────────────────────────────

create function json_time(t timestamptz) returns text language sql immutable parallel safe as
$$ select coalesce('"' || to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '"', 'null') $$;

create function json_text(t text) returns text language sql immutable parallel safe as
$$ select coalesce(to_json(t)::text, 'null') $$;

-- Without images (their addresses may be signed), portal_url (it names the server) and the closing brace: the reader
-- appends those three.
create function review_body(r reviews) returns text language sql stable parallel safe as $$
  select '{"id":"' || r.id || '","external_id":' || json_text(r.external_id)
    || ',"type":"customer","author":' || json_text(r.author)
    || ',"score":' || r.score || ',"score_max":5,"date":"' || to_char(r.date, 'YYYY-MM-DD')
    || '","extract":' || json_text(r.extract)
    || ',"pros":' || array_to_json(r.pros) || ',"cons":' || array_to_json(r.cons)
    || ',"lang":' || json_text(r.lang)
    || ',"verified_buyer":' || r.verified_buyer
    || ',"votes_up":' || r.votes_up || ',"votes_down":' || r.votes_down
    || ',"product":' || json_text(r.product_name)
    || ',"responses":' || r.responses
    || ',"properties":' || case when r.title is null and r.recommended is null then r.answers
         else r.answers || jsonb_strip_nulls(jsonb_build_object('title', r.title, 'recommended', r.recommended)) end
    || ',"family_ids":' || case when r.family_id is null then '[]' else '[' || to_json(r.family_id) || ']' end
    || ',"product_ids":' || case when r.product_id is null then '[]' else '[' || to_json(r.product_id) || ']' end
    || ',"order_id":' || json_text(r.order_id) || ',"customer_id":' || json_text(r.customer_id)
    || ',"category":' || json_text(r.category)
    || ',"updated_at":' || json_time(r.updated_at)
    || ',"accepted":' || coalesce(r.accepted::text, 'null') || ',"accepted_at":' || json_time(r.accepted_at)
    || ',"reject_reason":' || json_text(r.reject_reason)
    || ',"verified_email":' || r.verified_email || ',"author_email":' || json_text(r.author_email)
$$;

-- updated_at moves at every change a reader can see, and at no other.
create function keep_review_body() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    new.updated_at := old.updated_at;
    new.body := review_body(new);
    if new.body = old.body and new.images = old.images then return new; end if;
    new.updated_at := greatest(clock_timestamp(), old.updated_at);
  end if;
  new.body := review_body(new);
  return new;
end $$;
create trigger reviews_keep_body before insert or update on reviews for each row execute function keep_review_body();

create function keep_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := old.updated_at;
  if to_jsonb(new) - 'flag_count' is distinct from to_jsonb(old) - 'flag_count' then
    new.updated_at := greatest(clock_timestamp(), old.updated_at);
  end if;
  return new;
end $$;
create trigger seller_reviews_keep_updated_at before update on seller_reviews for each row execute function keep_updated_at();
create trigger questions_keep_updated_at before update on questions for each row execute function keep_updated_at();
create trigger answers_keep_updated_at before update on answers for each row execute function keep_updated_at();
create trigger responses_keep_updated_at before update on responses for each row execute function keep_updated_at();

-- An answer is part of what a reader of its question sees.
create function touch_question() returns trigger language plpgsql as $$
begin
  update questions set answers_version = answers_version + 1
   where client_id = coalesce(new.client_id, old.client_id) and id = coalesce(new.question_id, old.question_id);
  return null;
end $$;
create trigger answers_touch_question after insert or update or delete on answers for each row execute function touch_question();

-- Replies, oldest first, as the review's JSON shows them.
create function keep_responses() returns trigger language plpgsql as $$
declare
  c text := coalesce(new.client_id, old.client_id);
  k text := coalesce(new.kind, old.kind);
  s text := coalesce(new.subject_id, old.subject_id);
  list jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('author', author, 'date', to_char(date, 'YYYY-MM-DD'), 'extract', extract,
           'lang', lang, 'updated_at', to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by created_at, id), '[]')
    into list from responses where client_id = c and kind = k and subject_id = s;
  if k = 'review' then
    update reviews set responses = list where client_id = c and id = s;
  else
    update seller_reviews set responses = list where client_id = c and id = s;
  end if;
  return null;
end $$;
create trigger responses_keep after insert or update or delete on responses for each row execute function keep_responses();

-- ── Counts of accepted reviews ───────────────────────────────────────────────────────────────────────────────────

-- Rows that left and rows that came, as one list of signed changes, are summed per key and added in key order (two
-- statements at once then lock the counters in the same order). No check that counts stay positive: it would judge the
-- signed row proposed for insertion before its conflict is seen; `summaries verify` recounts instead. `version` moves with everything that is displayed.
create type review_change as (client_id text, product_id text, family_id text, score int, sign int);

create function add_review_changes(changes review_change[]) returns void language plpgsql as $$
begin
  if cardinality(changes) = 0 then return; end if;
  insert into product_summaries as s (client_id, product_id, count, sum, c1, c2, c3, c4, c5)
    select client_id, product_id, sum(sign), sum(sign * score), sum(sign * (score = 1)::int), sum(sign * (score = 2)::int),
           sum(sign * (score = 3)::int), sum(sign * (score = 4)::int), sum(sign * (score = 5)::int)
      from unnest(changes) where product_id is not null group by 1, 2 order by 1, 2
    on conflict (client_id, product_id) do update set
      count = s.count + excluded.count, sum = s.sum + excluded.sum, c1 = s.c1 + excluded.c1, c2 = s.c2 + excluded.c2,
      c3 = s.c3 + excluded.c3, c4 = s.c4 + excluded.c4, c5 = s.c5 + excluded.c5, version = s.version + 1;
  insert into family_summaries as s (client_id, family_id, count, sum, c1, c2, c3, c4, c5)
    select client_id, family_id, sum(sign), sum(sign * score), sum(sign * (score = 1)::int), sum(sign * (score = 2)::int),
           sum(sign * (score = 3)::int), sum(sign * (score = 4)::int), sum(sign * (score = 5)::int)
      from unnest(changes) where family_id is not null group by 1, 2 order by 1, 2
    on conflict (client_id, family_id) do update set
      count = s.count + excluded.count, sum = s.sum + excluded.sum, c1 = s.c1 + excluded.c1, c2 = s.c2 + excluded.c2,
      c3 = s.c3 + excluded.c3, c4 = s.c4 + excluded.c4, c5 = s.c5 + excluded.c5, version = s.version + 1;
end $$;

create function count_new_reviews() returns trigger language plpgsql as $$
begin
  if exists (select from came where accepted) then
    perform add_review_changes(array(
      select (client_id, product_id, family_id, score, 1)::review_change from came where accepted));
  end if;
  return null;
end $$;
create function count_changed_reviews() returns trigger language plpgsql as $$
begin
  perform add_review_changes(array(
    select (r.client_id, r.product_id, r.family_id, r.score, r.sign)::review_change
      from (select l.*, -1 as sign from gone l join came n on n.client_id = l.client_id and n.id = l.id
             where l.accepted and (n.body, n.images) is distinct from (l.body, l.images)
            union all
            select n.*, 1 from came n join gone l on l.client_id = n.client_id and l.id = n.id
             where n.accepted and (n.body, n.images) is distinct from (l.body, l.images)) r));
  return null;
end $$;
create function count_gone_reviews() returns trigger language plpgsql as $$
begin
  -- A client that goes takes its counters along.
  perform add_review_changes(array(
    select (g.client_id, g.product_id, g.family_id, g.score, -1)::review_change
      from gone g join clients c on c.id = g.client_id where g.accepted));
  return null;
end $$;
create trigger reviews_count_new after insert on reviews referencing new table as came
  for each statement execute function count_new_reviews();
create trigger reviews_count_changed after update on reviews referencing old table as gone new table as came
  for each statement execute function count_changed_reviews();
create trigger reviews_count_gone after delete on reviews referencing old table as gone
  for each statement execute function count_gone_reviews();

create function add_seller_changes(changes review_change[]) returns void language sql as $$
  insert into seller_summaries as s (client_id, count, sum, c1, c2, c3, c4, c5)
    select client_id, sum(sign), sum(sign * score), sum(sign * (score = 1)::int), sum(sign * (score = 2)::int),
           sum(sign * (score = 3)::int), sum(sign * (score = 4)::int), sum(sign * (score = 5)::int)
      from unnest(changes) group by 1 order by 1
    on conflict (client_id) do update set
      count = s.count + excluded.count, sum = s.sum + excluded.sum, c1 = s.c1 + excluded.c1, c2 = s.c2 + excluded.c2,
      c3 = s.c3 + excluded.c3, c4 = s.c4 + excluded.c4, c5 = s.c5 + excluded.c5, version = s.version + 1
$$;
create function count_new_seller_reviews() returns trigger language plpgsql as $$
begin
  perform add_seller_changes(array(select (client_id, null, null, score, 1)::review_change from came where accepted));
  return null;
end $$;
create function count_changed_seller_reviews() returns trigger language plpgsql as $$
begin
  perform add_seller_changes(array(
    select (client_id, null, null, score, -1)::review_change from gone where accepted
    union all select (client_id, null, null, score, 1)::review_change from came where accepted));
  return null;
end $$;
create function count_gone_seller_reviews() returns trigger language plpgsql as $$
begin
  perform add_seller_changes(array(
    select (g.client_id, null, null, g.score, -1)::review_change from gone g join clients c on c.id = g.client_id where g.accepted));
  return null;
end $$;
create trigger seller_reviews_count_new after insert on seller_reviews referencing new table as came
  for each statement execute function count_new_seller_reviews();
create trigger seller_reviews_count_changed after update on seller_reviews referencing old table as gone new table as came
  for each statement execute function count_changed_seller_reviews();
create trigger seller_reviews_count_gone after delete on seller_reviews referencing old table as gone
  for each statement execute function count_gone_seller_reviews();

-- ── History is written once ──────────────────────────────────────────────────────────────────────────────────────

-- Only an erasure (which says so for its transaction) may wipe texts or drop rows.
create function refuse_history_change() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('candor.erasing', true), '') = 'on' then return coalesce(new, old); end if;
  raise exception 'moderation_events is append-only';
end $$;
create trigger moderation_events_append_only before update or delete on moderation_events
  for each row execute function refuse_history_change();

-- ── News for the caches of every process ─────────────────────────────────────────────────────────────────────────

create function raise_client_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.updated_at := greatest(clock_timestamp(), old.updated_at);
  return new;
end $$;
create trigger clients_raise_version before update on clients for each row execute function raise_client_version();

-- Payload: the kind of row and its id; whoever holds a copy of it drops that.
create function tell_caches() returns trigger language plpgsql as $$
declare
  row_id text := to_jsonb(coalesce(new, old)) ->> tg_argv[1];
begin
  perform pg_notify('candor_cache', tg_argv[0] || ':' || row_id);
  return null;
end $$;
create trigger clients_tell_caches after insert or update or delete on clients
  for each row execute function tell_caches('client', 'id');
create trigger users_tell_caches after insert or update or delete on users
  for each row execute function tell_caches('user', 'id');
create trigger user_clients_tell_caches after insert or update or delete on user_clients
  for each row execute function tell_caches('user', 'user_id');
create trigger api_keys_tell_caches after insert or update of revoked_at, scopes or delete on api_keys
  for each row execute function tell_caches('key', 'id');
create trigger api_key_clients_tell_caches after insert or update or delete on api_key_clients
  for each row execute function tell_caches('key', 'key_id');
-- >>> 20261121060200_hash_persons
-- Quarantine and suppression know people by keyed hashes, which outlive an erasure. With the hashes on the customer's
-- row the planner joins them in SQL instead of asking customer by customer.
alter table "customers"
  add column "id_hash" text collate "C" not null,
  add column "email_hash" text collate "C";
-- >>> 20261121070000_drive_runs
-- What the embedded engine needs to drive a run: who holds it now (and a counter that shuts out a holder believed
-- dead), what started it, and where it waits for its turn. An outbox row remembers the run and the clock it was
-- written under, so that all that one run causes can be told apart and sees the same time.

ALTER TABLE "outbox"
  ADD COLUMN "origin_id" TEXT COLLATE "C",
  ADD COLUMN "clock_at" TIMESTAMPTZ(3);
CREATE INDEX "outbox_origin_id_idx" ON "outbox"("origin_id") WHERE (relayed_at IS NULL AND origin_id IS NOT NULL);

ALTER TABLE "job_runs"
  ADD COLUMN "origin_id" TEXT COLLATE "C",
  ADD COLUMN "group_key" TEXT COLLATE "C",
  ADD COLUMN "parked" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "held_by" INTEGER,
  ADD COLUMN "lease" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "recoveries" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX "job_runs_origin_id_idx" ON "job_runs"("origin_id") WHERE (origin_id IS NOT NULL);
CREATE INDEX "job_runs_held_by_idx" ON "job_runs"("held_by") WHERE (status = 'running');
CREATE INDEX "job_runs_group_key_queued_at_idx" ON "job_runs"("group_key", "queued_at") WHERE (group_key IS NOT NULL AND ended_at IS NULL);
CREATE INDEX "job_runs_function_id_open_idx" ON "job_runs"("function_id", "id") WHERE (ended_at IS NULL);
-- >>> 20261121080000_show_newest_first
-- The display lists a product's or a family's accepted reviews by their date, newest first, and pages on by key. Partial
-- indexes: a review that waits for moderation costs them nothing.
drop index "reviews_product_idx";
create index "reviews_product_shown_idx" on "reviews"("client_id", "product_id", "date", "created_at", "id") where (accepted);
create index "reviews_family_shown_idx" on "reviews"("client_id", "family_id", "date", "created_at", "id") where (accepted);

-- A repeated submission is answered with the id of the row that the first one became. Fingerprints live a minute, so the
-- ones there are need not be kept.
delete from "submissions";
alter table "submissions" add column "subject_id" text collate "C" not null;
-- >>> 20261121080100_lease_mails
-- When a mail is being handed to its provider, so that two processes never hand over the same one, and so that one
-- whose process died in between can be told from one that nobody has touched yet.
ALTER TABLE "mails" ADD COLUMN "handed_at" TIMESTAMPTZ(3);
-- >>> 20261121090000_doubt_mails
-- Since when a mail may have gone without anybody knowing: the answer was lost, or the process died. A service drops
-- repetitions for a limited time only, which counts from the first such try and not from the last.
ALTER TABLE "mails" ADD COLUMN "doubtful_since" TIMESTAMPTZ(3);
-- >>> 20261121100000_find_links_of_a_subject
-- What is deleted takes its mailed links along: they are found without reading all of the client's.
CREATE INDEX "action_links_client_id_kind_subject_id_idx" ON "action_links"("client_id", "kind", "subject_id");
-- >>> 20261121101000_keep_findings
-- What the rules found is shown beside an item until its words change: in order, with the reject code it would be, and
-- also of an item as a whole. Findings and prints go with the words they were made of, whoever changes or deletes them.

alter table moderation_findings
  add column position int not null default 0,
  add column reason text collate "C",
  alter column field drop not null,
  add constraint moderation_findings_span_check check (span_start between 0 and span_end),
  add constraint moderation_findings_suggested_check check (suggested in ('hold', 'reject'));

-- Numbers by which items that have something in common are found with one look at an index each. Of a text (eight
-- prints, no end), or of who sent it and what it is about (kept for a day).
create table moderation_prints (
  client_id text collate "C" not null references clients (id) on delete cascade on update cascade,
  kind text collate "C" not null,
  subject_id text collate "C" not null,
  print bigint not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  constraint moderation_prints_pkey primary key (client_id, kind, subject_id, print)
);
create index moderation_prints_client_id_print_created_at_subject_id_idx
  on moderation_prints (client_id, print, created_at, subject_id);
create index moderation_prints_expires_at_idx on moderation_prints (expires_at) where expires_at is not null;

create function forget_findings() returns trigger language plpgsql as $$
begin
  delete from moderation_findings where client_id = old.client_id and kind = tg_argv[0] and subject_id = old.id;
  return null;
end $$;
create trigger reviews_forget_findings after update of author, title, extract, pros, cons, answers, images on reviews
  for each row when ((old.author, old.title, old.extract, old.pros, old.cons, old.answers, old.images)
    is distinct from (new.author, new.title, new.extract, new.pros, new.cons, new.answers, new.images))
  execute function forget_findings('review');
create trigger seller_reviews_forget_findings after update of author, title, extract, answers, images on seller_reviews
  for each row when ((old.author, old.title, old.extract, old.answers, old.images)
    is distinct from (new.author, new.title, new.extract, new.answers, new.images))
  execute function forget_findings('seller_review');
create trigger questions_forget_findings after update of author, question, details, answers_given, images on questions
  for each row when ((old.author, old.question, old.details, old.answers_given, old.images)
    is distinct from (new.author, new.question, new.details, new.answers_given, new.images))
  execute function forget_findings('question');

create function forget_judgements() returns trigger language plpgsql as $$
begin
  delete from moderation_findings f using gone g
   where f.client_id = g.client_id and f.kind = tg_argv[0] and f.subject_id = g.id;
  delete from moderation_prints p using gone g
   where p.client_id = g.client_id and p.kind = tg_argv[0] and p.subject_id = g.id;
  return null;
end $$;
create trigger reviews_forget_judgements after delete on reviews referencing old table as gone
  for each statement execute function forget_judgements('review');
create trigger seller_reviews_forget_judgements after delete on seller_reviews referencing old table as gone
  for each statement execute function forget_judgements('seller_review');
create trigger questions_forget_judgements after delete on questions referencing old table as gone
  for each statement execute function forget_judgements('question');
-- >>> 20261121102000_name_people_in_answers
-- An answer kept for a repeated request may hold a person's name, address and words. It says whose, by keyed hash, so
-- that an erasure finds it without reading a day of answers.
ALTER TABLE "idempotency_keys" ADD COLUMN "people" TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::TEXT[];
CREATE INDEX "idempotency_keys_people_idx" ON "idempotency_keys" USING GIN ("people");
-- >>> 20261121102100_erase_people
-- Erasing a person: a request is a row only while it is under way, so that nothing of it is left when it is done (the
-- audit tells that it was). Its identifier is sealed; who asked and what went so far stand beside it for the audit.
ALTER TABLE "deletion_requests"
  DROP COLUMN "status",
  DROP COLUMN "requested_by",
  DROP COLUMN "finished_at",
  ALTER COLUMN "sealed" SET NOT NULL,
  ADD COLUMN "actor_kind" TEXT COLLATE "C" NOT NULL,
  ADD COLUMN "actor_id" TEXT COLLATE "C" NOT NULL,
  ADD COLUMN "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
CREATE UNIQUE INDEX "deletion_requests_client_id_person_hash_key" ON "deletion_requests"("client_id", "person_hash");
DROP INDEX "deletion_requests_client_id_created_at_id_idx";
CREATE INDEX "deletion_requests_touched_at_idx" ON "deletion_requests"("touched_at");

-- The hash of somebody who was erased stays as long as their quarantine runs, and no longer.
ALTER TABLE "quarantines" ADD COLUMN "erased_until" DATE;
CREATE INDEX "quarantines_erased_until_idx" ON "quarantines"("erased_until") WHERE (erased_until IS NOT NULL);

-- Copies are found by what they are about.
CREATE INDEX "deliveries_client_id_subject_idx" ON "deliveries"("client_id", "subject");
CREATE INDEX "job_runs_data_idx" ON "job_runs" USING GIN ((event -> 'data') jsonb_path_ops);
-- >>> 20261121102200_find_copies
-- An erasure looks for hundreds of ids at once. A list of entries still to be sorted in would be read for each of them;
-- and facts that were told get the same index, at the time they are told and not when they are written.
ALTER INDEX "job_runs_data_idx" SET (fastupdate = off);
CREATE INDEX "outbox_data_idx" ON "outbox" USING GIN ("data" jsonb_path_ops) WITH (fastupdate = off) WHERE (relayed_at IS NOT NULL);
-- >>> 20261121103000_list_contributions
-- Seller reviews and questions are listed and synchronised as reviews are: their public JSON is written once, when it
-- changes, and `updated_at` moves exactly then. What nobody can read (counters of flags, a pending answer) no longer moves
-- it. Questions get an index for each state in each order.

alter table "seller_reviews" add column "body" text collate "C" not null default '';
alter table "questions" add column "body" text collate "C" not null default '';

create index "questions_pending_updated_idx" on "questions"("client_id", "updated_at", "id") where (accepted is null);
create index "questions_rejected_created_idx" on "questions"("client_id", "created_at", "id") where (accepted = false);
create index "questions_rejected_updated_idx" on "questions"("client_id", "updated_at", "id") where (accepted = false);

-- As review_body: without images (their addresses may be signed), portal_url (it names the server) and the closing brace.
create function public_body(r seller_reviews) returns text language sql stable parallel safe as $$
  select '{"id":"' || r.id || '","author":' || json_text(r.author)
    || ',"score":' || r.score || ',"score_max":5,"date":"' || to_char(r.date, 'YYYY-MM-DD')
    || '","extract":' || json_text(r.extract)
    || ',"lang":' || json_text(r.lang)
    || ',"verified_buyer":' || r.verified_buyer
    || ',"votes_up":' || r.votes_up || ',"votes_down":' || r.votes_down
    || ',"responses":' || r.responses
    || ',"properties":' || case when r.title is null then r.answers else r.answers || jsonb_build_object('title', r.title) end
    || ',"order_id":' || json_text(r.order_id) || ',"customer_id":' || json_text(r.customer_id)
    || ',"updated_at":' || json_time(r.updated_at)
    || ',"accepted":' || coalesce(r.accepted::text, 'null') || ',"accepted_at":' || json_time(r.accepted_at)
    || ',"author_email":' || json_text(r.author_email)
$$;

-- Accepted answers only: their readers cannot tell the state of one.
create function public_body(q questions) returns text language sql stable parallel safe as $$
  select '{"id":"' || q.id || '","author":' || json_text(q.author)
    || ',"date":"' || to_char(q.date, 'YYYY-MM-DD')
    || '","question":' || json_text(q.question) || ',"details":' || json_text(q.details)
    || ',"lang":' || json_text(q.lang) || ',"product":' || json_text(q.product_name)
    || ',"product_ids":' || case when q.product_id is null then '[]' else '[' || to_json(q.product_id) || ']' end
    || ',"family_ids":' || case when q.family_id is null then '[]' else '[' || to_json(q.family_id) || ']' end
    || ',"answers":' || (
      select coalesce(jsonb_agg(jsonb_build_object('author', a.author, 'date', to_char(a.date, 'YYYY-MM-DD'), 'answer', a.answer,
               'lang', a.lang) order by a.created_at, a.id), '[]')
        from answers a where a.client_id = q.client_id and a.question_id = q.id and a.accepted)
    || ',"properties":' || q.answers_given
    || ',"author_email":' || json_text(q.author_email) || ',"mail_answer":' || q.mail_answer
    || ',"accepted":' || coalesce(q.accepted::text, 'null') || ',"accepted_at":' || json_time(q.accepted_at)
    || ',"reject_reason":' || json_text(q.reject_reason)
    || ',"updated_at":' || json_time(q.updated_at)
$$;

-- Rows that are there keep the moment of their last change.
drop trigger seller_reviews_keep_updated_at on seller_reviews;
drop trigger questions_keep_updated_at on questions;
update seller_reviews s set body = public_body(s);
update questions q set body = public_body(q);

-- updated_at moves at every change a reader can see, and at no other. The row is held when this runs, so that of two
-- answers at once the second sees the first.
create function keep_public_body() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    new.updated_at := old.updated_at;
    new.body := public_body(new);
    if new.body = old.body and new.images = old.images then return new; end if;
    new.updated_at := greatest(clock_timestamp(), old.updated_at);
  end if;
  new.body := public_body(new);
  return new;
end $$;
create trigger seller_reviews_keep_body before insert or update on seller_reviews
  for each row execute function keep_public_body();
create trigger questions_keep_body before insert or update on questions
  for each row execute function keep_public_body();
-- >>> 20261121103100_list_all_replies
-- Of two replies at once each listed itself alone, and the later commit stood. The review is held now before its replies
-- are read, so that the second waits and lists both.

create or replace function keep_responses() returns trigger language plpgsql as $$
declare
  c text := coalesce(new.client_id, old.client_id);
  k text := coalesce(new.kind, old.kind);
  s text := coalesce(new.subject_id, old.subject_id);
  list jsonb;
begin
  if k = 'review' then
    perform from reviews where client_id = c and id = s for no key update;
  else
    perform from seller_reviews where client_id = c and id = s for no key update;
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('author', author, 'date', to_char(date, 'YYYY-MM-DD'), 'extract', extract,
           'lang', lang, 'updated_at', to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by created_at, id), '[]')
    into list from responses where client_id = c and kind = k and subject_id = s;
  if k = 'review' then
    update reviews set responses = list where client_id = c and id = s;
  else
    update seller_reviews set responses = list where client_id = c and id = s;
  end if;
  return null;
end $$;
-- >>> 20261121103200_weigh_externals
-- External totals count in scores and displays: what they must be, how they weigh, and who is told when they change.

update "external_totals" set "score_dist" = '{0,0,0,0,0}' where cardinality("score_dist") <> 5;
alter table "external_totals"
  alter column "score_dist" set default array[0, 0, 0, 0, 0],
  add constraint external_totals_kind_check check (kind in ('pro', 'user')),
  add constraint external_totals_count_check check (count >= 0 and cardinality(score_dist) = 5 and 0 <= all (score_dist));

-- What a total adds to a sum of scores on the 0 to 10 scale: the mean of its distribution times its count. Step i of five
-- counts 2 × i, as i stars of an own review do. Null where no score is known: such reviews are counted, not weighed.
create function external_points(count int, dist int[]) returns double precision language sql immutable parallel safe as $$
  select count::double precision * (2 * dist[1]::bigint + 4 * dist[2]::bigint + 6 * dist[3]::bigint + 8 * dist[4]::bigint + 10 * dist[5]::bigint)
    / nullif(dist[1]::bigint + dist[2] + dist[3] + dist[4] + dist[5], 0)
$$;

-- Whatever a client displays may change with them. Imports are rare, so all its displays are made anew.
create function display_totals_anew() returns trigger language plpgsql as $$
begin
  update clients set version = version where id in (select client_id from changed);
  return null;
end $$;
create trigger external_totals_new after insert on external_totals referencing new table as changed
  for each statement execute function display_totals_anew();
create trigger external_totals_changed after update on external_totals referencing new table as changed
  for each statement execute function display_totals_anew();
create trigger external_totals_gone after delete on external_totals referencing old table as changed
  for each statement execute function display_totals_anew();

-- A family's totals are those of its products: they change when such a product comes, moves or goes.
create function display_families_anew() returns trigger language plpgsql as $$
begin
  if not exists (select from external_totals) then return null; end if;
  if tg_op = 'UPDATE' then
    update clients set version = version where id in (
      select n.client_id from came n
        join gone l on l.client_id = n.client_id and l.id = n.id and l.family_id <> n.family_id
        join external_totals e on e.client_id = n.client_id and e.product_id = n.id);
  elsif tg_op = 'INSERT' then
    update clients set version = version where id in (
      select n.client_id from came n join external_totals e on e.client_id = n.client_id and e.product_id = n.id);
  else
    update clients set version = version where id in (
      select l.client_id from gone l join external_totals e on e.client_id = l.client_id and e.product_id = l.id);
  end if;
  return null;
end $$;
create trigger products_display_new after insert on products referencing new table as came
  for each statement execute function display_families_anew();
create trigger products_display_moved after update on products referencing old table as gone new table as came
  for each statement execute function display_families_anew();
create trigger products_display_gone after delete on products referencing old table as gone
  for each statement execute function display_families_anew();
-- >>> 20261121104000_keep_whole_answers
-- An answer to a request with an Idempotency-Key is kept when it is given, in the transaction of what it tells of, and
-- never before: who is at work holds a lock instead of a row. So every row has a status. Headers belong to an answer, and
-- a client's answers go with the client.
DELETE FROM "idempotency_keys"; -- no release has written any
ALTER TABLE "idempotency_keys" ALTER COLUMN "status" SET NOT NULL;
ALTER TABLE "idempotency_keys" ADD COLUMN "headers" JSONB NOT NULL DEFAULT '{}';
CREATE INDEX "idempotency_keys_client_id_idx" ON "idempotency_keys"("client_id");
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- >>> 20261121106000_import_reviews
-- Reviews come in files, many at once, with their replies. A review is stored with the replies it shows, so the trigger of
-- each reply need not write it again where it shows them already; and a photo that a file names is looked for by its
-- token among all uploads of the installation.
create or replace function keep_responses() returns trigger language plpgsql as $$
declare
  c text := coalesce(new.client_id, old.client_id);
  k text := coalesce(new.kind, old.kind);
  s text := coalesce(new.subject_id, old.subject_id);
  list jsonb;
begin
  if k = 'review' then
    perform from reviews where client_id = c and id = s for no key update;
  else
    perform from seller_reviews where client_id = c and id = s for no key update;
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('author', author, 'date', to_char(date, 'YYYY-MM-DD'), 'extract', extract,
           'lang', lang, 'updated_at', to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by created_at, id), '[]')
    into list from responses where client_id = c and kind = k and subject_id = s;
  if k = 'review' then
    update reviews set responses = list where client_id = c and id = s and responses is distinct from list;
  else
    update seller_reviews set responses = list where client_id = c and id = s and responses is distinct from list;
  end if;
  return null;
end $$;

CREATE INDEX "uploads_token_idx" ON "uploads"("token");
-- >>> 20261121107000_confirm_addresses
-- Where a client confirms addresses, what somebody sent waits until a link mailed to its author's address is used. `due`:
-- the author is to be asked; `mailed`: was asked; null: nobody need be, or it is done. The row says so, and not the
-- client's setting, so that what came before the setting was switched on is not taken for waiting.

alter table "reviews" add column "verification" text collate "C";
alter table "questions" add column "verification" text collate "C";
alter table "reviews" add constraint "reviews_verification_check" check (verification in ('due', 'mailed'));
alter table "questions" add constraint "questions_verification_check" check (verification in ('due', 'mailed'));

-- What waits for its author, in the queue's order. Nothing else is in it.
create index "reviews_unverified_idx" on "reviews"("client_id", "created_at", "id")
  where (verification is not null and accepted is null);
-- >>> 20261121107100_tell_figures_apart
-- A vote on one review moved the version of its product and family, and with it everything displayed of them was made
-- anew: also the totals of answers, which read every review there is. What a summary is made of (which reviews, their
-- stars, points and answers) now has a version of its own, which votes, replies and other words leave alone.

alter table "product_summaries" add column "figures_version" bigint not null default 1;
alter table "family_summaries" add column "figures_version" bigint not null default 1;

create type summary_change as (client_id text, product_id text, family_id text, score int, sign int, figures boolean);

create function add_review_changes(changes summary_change[]) returns void language plpgsql as $$
begin
  if cardinality(changes) = 0 then return; end if;
  insert into product_summaries as s (client_id, product_id, count, sum, c1, c2, c3, c4, c5, figures_version)
    select client_id, product_id, sum(sign), sum(sign * score), sum(sign * (score = 1)::int), sum(sign * (score = 2)::int),
           sum(sign * (score = 3)::int), sum(sign * (score = 4)::int), sum(sign * (score = 5)::int), bool_or(figures)::int
      from unnest(changes) where product_id is not null group by 1, 2 order by 1, 2
    on conflict (client_id, product_id) do update set
      count = s.count + excluded.count, sum = s.sum + excluded.sum, c1 = s.c1 + excluded.c1, c2 = s.c2 + excluded.c2,
      c3 = s.c3 + excluded.c3, c4 = s.c4 + excluded.c4, c5 = s.c5 + excluded.c5, version = s.version + 1,
      figures_version = s.figures_version + excluded.figures_version;
  insert into family_summaries as s (client_id, family_id, count, sum, c1, c2, c3, c4, c5, figures_version)
    select client_id, family_id, sum(sign), sum(sign * score), sum(sign * (score = 1)::int), sum(sign * (score = 2)::int),
           sum(sign * (score = 3)::int), sum(sign * (score = 4)::int), sum(sign * (score = 5)::int), bool_or(figures)::int
      from unnest(changes) where family_id is not null group by 1, 2 order by 1, 2
    on conflict (client_id, family_id) do update set
      count = s.count + excluded.count, sum = s.sum + excluded.sum, c1 = s.c1 + excluded.c1, c2 = s.c2 + excluded.c2,
      c3 = s.c3 + excluded.c3, c4 = s.c4 + excluded.c4, c5 = s.c5 + excluded.c5, version = s.version + 1,
      figures_version = s.figures_version + excluded.figures_version;
end $$;

create or replace function count_new_reviews() returns trigger language plpgsql as $$
begin
  if exists (select from came where accepted) then
    perform add_review_changes(array(
      select (client_id, product_id, family_id, score, 1, true)::summary_change from came where accepted));
  end if;
  return null;
end $$;
create or replace function count_changed_reviews() returns trigger language plpgsql as $$
begin
  perform add_review_changes(array(
    select (r.client_id, r.product_id, r.family_id, r.score, r.sign, r.figures)::summary_change
      from (select l.client_id, l.product_id, l.family_id, l.score, l.accepted, -1 as sign,
                   (n.accepted, n.score, n.date, n.product_id, n.family_id, n.pros, n.cons, n.answers)
                     is distinct from (l.accepted, l.score, l.date, l.product_id, l.family_id, l.pros, l.cons, l.answers) as figures
              from gone l join came n on n.client_id = l.client_id and n.id = l.id
             where l.accepted and (n.body, n.images) is distinct from (l.body, l.images)
            union all
            select n.client_id, n.product_id, n.family_id, n.score, n.accepted, 1,
                   (n.accepted, n.score, n.date, n.product_id, n.family_id, n.pros, n.cons, n.answers)
                     is distinct from (l.accepted, l.score, l.date, l.product_id, l.family_id, l.pros, l.cons, l.answers)
              from came n join gone l on l.client_id = n.client_id and l.id = n.id
             where n.accepted and (n.body, n.images) is distinct from (l.body, l.images)) r));
  return null;
end $$;
create or replace function count_gone_reviews() returns trigger language plpgsql as $$
begin
  -- A client that goes takes its counters along.
  perform add_review_changes(array(
    select (g.client_id, g.product_id, g.family_id, g.score, -1, true)::summary_change
      from gone g join clients c on c.id = g.client_id where g.accepted));
  return null;
end $$;
drop function add_review_changes(review_change[]);
-- >>> 20261121107200_find_reported
-- Reviews that visitors reported, in the order of the portal's lists. Hardly any row is in it.
create index "reviews_reported_idx" on "reviews"("client_id", "created_at", "id") where (flag_count > 0);
-- >>> 20261121110000_vouch_once
-- A submission writes its review, the first line of its history and its fingerprint in one statement. The review's
-- foreign key vouches for the client; checking it again for the other two rows was a sixth of what the statement costs.
-- Rows of a client that goes go with it as before.

alter table moderation_events drop constraint moderation_events_client_id_fkey;
alter table submissions drop constraint submissions_client_id_fkey;

create function take_along_unvouched() returns trigger language plpgsql as $$
begin
  delete from moderation_events where client_id = old.id;
  delete from submissions where client_id = old.id;
  return null;
end $$;
create trigger clients_take_along_unvouched after delete on clients
  for each row execute function take_along_unvouched();
-- >>> 20261122000000_vouch_by_statement
-- Reviews, customers and orders are written in batches, many rows of one client. A foreign key asks for the client row
-- by row and locks it; two batches at once then share that lock, which costs PostgreSQL more than the asking. So each
-- statement asks once for all its rows, under a lock that is not kept on disk and that only the end of a client waits for.
-- An order is vouched for by its customer.

alter table reviews drop constraint reviews_client_id_fkey;
alter table customers drop constraint customers_client_id_fkey;
alter table orders drop constraint orders_client_id_fkey;

create function client_lock(client_id text) returns bigint language sql immutable as $$
  select hashtextextended('client|' || client_id, 0)
$$;

create function vouch_for_clients() returns trigger language plpgsql as $$
declare
  missing text;
begin
  -- Each statement of this function sees what was committed before it: the second what became of clients meanwhile.
  perform pg_advisory_xact_lock_shared(client_lock(client_id)) from (select distinct client_id from came) named;
  select named.client_id into missing from (select distinct client_id from came) named
   where not exists (select from clients c where c.id = named.client_id) limit 1;
  if missing is not null then
    raise foreign_key_violation using message = format('%I names a client that is not there', tg_table_name),
      table = tg_table_name, column = 'client_id';
  end if;
  return null;
end $$;
create trigger reviews_vouch_for_clients after insert on reviews referencing new table as came
  for each statement execute function vouch_for_clients();
create trigger customers_vouch_for_clients after insert on customers referencing new table as came
  for each statement execute function vouch_for_clients();

-- Before it goes, a client waits for what is being written for it, so that all of it goes along.
create function end_client() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(client_lock(old.id));
  return old;
end $$;
create trigger clients_end before delete on clients for each row execute function end_client();

create or replace function take_along_unvouched() returns trigger language plpgsql as $$
begin
  delete from reviews where client_id = old.id;
  delete from customers where client_id = old.id;
  delete from moderation_events where client_id = old.id;
  delete from submissions where client_id = old.id;
  return null;
end $$;

create function keep_client_id() returns trigger language plpgsql as $$
begin
  raise exception 'the id of a client does not change' using errcode = 'restrict_violation';
end $$;
create trigger clients_keep_id before update of id on clients for each row when (old.id is distinct from new.id)
  execute function keep_client_id();
-- >>> 20261122000100_note_former_addresses
-- Whom an address belongs to, customers.email_key tells as well. Only those that it no longer tells need noting, so a new
-- customer is one row less.

create function note_former_address() returns trigger language plpgsql as $$
begin
  insert into customer_emails (client_id, customer_id, email_key) values (old.client_id, old.id, old.email_key)
    on conflict do nothing;
  return null;
end $$;
create trigger customers_note_former_address after update of email_key on customers for each row
  when (old.email_key is not null and old.email_key is distinct from new.email_key)
  execute function note_former_address();

delete from customer_emails e using customers c
 where c.client_id = e.client_id and c.id = e.customer_id and c.email_key = e.email_key;
-- >>> 20261122010000_show_questions
-- Answered questions are shown beside reviews. `answer_count` holds how many accepted answers a question has, so that an
-- index finds those shown; how many a product or family has, and a version that moves with every change a reader of them
-- could see, stand beside the counters of reviews: one look tells both versions.

alter table "questions" add column "answer_count" integer not null default 0;
alter table "product_summaries" add column "question_count" integer not null default 0,
  add column "questions_version" bigint not null default 1;
alter table "family_summaries" add column "question_count" integer not null default 0,
  add column "questions_version" bigint not null default 1;

update "questions" q set "answer_count" = (
  select count(*) from "answers" a where a.client_id = q.client_id and a.question_id = q.id and a.accepted)
 where exists (select from "answers" a where a.client_id = q.client_id and a.question_id = q.id and a.accepted);

create index "questions_product_shown_idx" on "questions"("client_id", "product_id", "date", "created_at", "id")
  where (accepted and answer_count > 0);
create index "questions_family_shown_idx" on "questions"("client_id", "family_id", "date", "created_at", "id")
  where (accepted and answer_count > 0);

-- Every change of an answer writes its question, which is held when this runs: of two answers at once the second counts
-- the first.
create function count_answers() returns trigger language plpgsql as $$
begin
  new.answer_count := (select count(*) from answers a
    where a.client_id = new.client_id and a.question_id = new.id and a.accepted);
  return new;
end $$;
create trigger questions_count_answers before insert or update on questions
  for each row execute function count_answers();

create type question_change as (client_id text, product_id text, family_id text, sign int);

-- As add_review_changes: summed per key, in key order, after those of products those of families.
create function add_question_changes(changes question_change[]) returns void language plpgsql as $$
begin
  if cardinality(changes) = 0 then return; end if;
  insert into product_summaries as s (client_id, product_id, question_count)
    select client_id, product_id, sum(sign) from unnest(changes) where product_id is not null group by 1, 2 order by 1, 2
    on conflict (client_id, product_id) do update set
      question_count = s.question_count + excluded.question_count, questions_version = s.questions_version + 1;
  insert into family_summaries as s (client_id, family_id, question_count)
    select client_id, family_id, sum(sign) from unnest(changes) where family_id is not null group by 1, 2 order by 1, 2
    on conflict (client_id, family_id) do update set
      question_count = s.question_count + excluded.question_count, questions_version = s.questions_version + 1;
end $$;

create function count_new_questions() returns trigger language plpgsql as $$
begin
  perform add_question_changes(array(
    select (client_id, product_id, family_id, 1)::question_change from came where accepted and answer_count > 0));
  return null;
end $$;
create function count_changed_questions() returns trigger language plpgsql as $$
begin
  perform add_question_changes(array(
    select (q.client_id, q.product_id, q.family_id, q.sign)::question_change
      from (select l.client_id, l.product_id, l.family_id, -1 as sign
              from gone l join came n on n.client_id = l.client_id and n.id = l.id
             where l.accepted and l.answer_count > 0
               and (n.body, n.images, n.answers_version) is distinct from (l.body, l.images, l.answers_version)
            union all
            select n.client_id, n.product_id, n.family_id, 1
              from came n join gone l on l.client_id = n.client_id and l.id = n.id
             where n.accepted and n.answer_count > 0
               and (n.body, n.images, n.answers_version) is distinct from (l.body, l.images, l.answers_version)) q));
  return null;
end $$;
create function count_gone_questions() returns trigger language plpgsql as $$
begin
  perform add_question_changes(array(
    select (g.client_id, g.product_id, g.family_id, -1)::question_change
      from gone g join clients c on c.id = g.client_id where g.accepted and g.answer_count > 0));
  return null;
end $$;
create trigger questions_count_new after insert on questions referencing new table as came
  for each statement execute function count_new_questions();
create trigger questions_count_changed after update on questions referencing old table as gone new table as came
  for each statement execute function count_changed_questions();
create trigger questions_count_gone after delete on questions referencing old table as gone
  for each statement execute function count_gone_questions();

insert into product_summaries as s (client_id, product_id, question_count)
  select client_id, product_id, count(*) from questions
   where product_id is not null and accepted and answer_count > 0 group by 1, 2
  on conflict (client_id, product_id) do update set question_count = excluded.question_count;
insert into family_summaries as s (client_id, family_id, question_count)
  select client_id, family_id, count(*) from questions
   where family_id is not null and accepted and answer_count > 0 group by 1, 2
  on conflict (client_id, family_id) do update set question_count = excluded.question_count;
-- >>> 20261122010100_sort_what_is_shown
-- The display lists a product's or a family's accepted reviews in four orders and pages on by key, so each order has an
-- index to begin in. One by score serves both directions and the choice of scores: there are but five, each of which is
-- read newest first. Reviews with photos are few: they have an index of their own.
create index "reviews_product_scored_idx" on "reviews"("client_id", "product_id", "score", "date", "created_at", "id")
  where (accepted);
create index "reviews_family_scored_idx" on "reviews"("client_id", "family_id", "score", "date", "created_at", "id")
  where (accepted);
create index "reviews_product_helpful_idx" on "reviews"("client_id", "product_id", ("votes_up" - "votes_down"), "date", "created_at", "id")
  where (accepted);
create index "reviews_family_helpful_idx" on "reviews"("client_id", "family_id", ("votes_up" - "votes_down"), "date", "created_at", "id")
  where (accepted);
create index "reviews_product_photos_idx" on "reviews"("client_id", "product_id", "date", "created_at", "id")
  where (accepted and images <> '[]'::jsonb);
create index "reviews_family_photos_idx" on "reviews"("client_id", "family_id", "date", "created_at", "id")
  where (accepted and images <> '[]'::jsonb);

-- Reviews of the seller: all of them, or those of chosen scores.
create index "seller_reviews_shown_idx" on "seller_reviews"("client_id", "date", "created_at", "id") where (accepted);
create index "seller_reviews_scored_idx" on "seller_reviews"("client_id", "score", "date", "created_at", "id") where (accepted);
-- >>> 20261122010200_count_facets
-- What accepted reviews of a product or family have in common is counted as they come and go: how custom questions were
-- answered, languages, photos, verified buyers. Adding it up anew for every review that was accepted read every review
-- there is: over a second at a hundred thousand.
--
-- `facet` is `lang`, `photos`, `verified`, or `answer.` and the question's name; `value` is the language or the answer,
-- and empty for how many reviews have the facet at all. Which questions are asked as a choice is the client's setting
-- and may change, so every answer that an option could be (64 characters) is counted. A count that reaches zero takes
-- its row along: no word of a review that is gone stays here.
create table "review_facets" (
  "client_id" text collate "C" not null,
  "kind" text collate "C" not null,
  "subject_id" text collate "C" not null,
  "facet" text collate "C" not null,
  "value" text collate "C" not null,
  "count" integer not null default 0,
  constraint "review_facets_pkey" primary key ("client_id", "kind", "subject_id", "facet", "value"),
  constraint "review_facets_kind_check" check (kind in ('product', 'family')),
  constraint "review_facets_client_id_fkey" foreign key ("client_id") references "clients"("id") on delete cascade on update cascade
) with (fillfactor = 50);

create function facets_of(lang text, images jsonb, verified boolean, answers jsonb)
  returns table (facet text, value text) language sql immutable parallel safe as $$
  select 'lang', lang where lang <> ''
  union all select 'photos', '' where images <> '[]'
  union all select 'verified', '' where verified
  union all select 'answer.' || a.key, '' from jsonb_each(answers) a
  union all
  select 'answer.' || a.key, v from jsonb_each(answers) a
    cross join lateral jsonb_array_elements_text(
      case jsonb_typeof(a.value) when 'array' then a.value else jsonb_build_array(a.value) end) v
   where v <> '' and char_length(v) <= 64
$$;

create type facet_change as (client_id text, product_id text, family_id text, facet text, value text, sign int);

-- After the counters of the summaries, in key order: two statements that count the same review's product wait there.
create function add_facet_changes(changes facet_change[]) returns void language plpgsql as $$
begin
  if cardinality(changes) = 0 then return; end if;
  insert into review_facets as f (client_id, kind, subject_id, facet, value, count)
    select client_id, kind, subject_id, facet, value, sum(sign)
      from unnest(changes) cross join lateral (values ('product', product_id), ('family', family_id)) s(kind, subject_id)
     where subject_id is not null
     group by 1, 2, 3, 4, 5 having sum(sign) <> 0 order by 1, 2, 3, 4, 5
    on conflict (client_id, kind, subject_id, facet, value) do update set count = f.count + excluded.count;
  delete from review_facets f
   using (select distinct client_id, kind, subject_id, facet, value
            from unnest(changes) cross join lateral (values ('product', product_id), ('family', family_id)) s(kind, subject_id)
           where sign < 0 and subject_id is not null) c
   where f.client_id = c.client_id and f.kind = c.kind and f.subject_id = c.subject_id and f.facet = c.facet
     and f.value = c.value and f.count = 0;
end $$;

-- What a summary is made of now includes its languages, photos and verified buyers.
create or replace function count_new_reviews() returns trigger language plpgsql as $$
begin
  if exists (select from came where accepted) then
    perform add_review_changes(array(
      select (client_id, product_id, family_id, score, 1, true)::summary_change from came where accepted));
    perform add_facet_changes(array(
      select (n.client_id, n.product_id, n.family_id, f.facet, f.value, 1)::facet_change
        from came n cross join lateral facets_of(n.lang, n.images, n.verified_buyer, n.answers) f where n.accepted));
  end if;
  return null;
end $$;
create or replace function count_changed_reviews() returns trigger language plpgsql as $$
declare
  changes summary_change[];
begin
  changes := array(
    select (r.client_id, r.product_id, r.family_id, r.score, r.sign, r.figures)::summary_change
      from (select l.client_id, l.product_id, l.family_id, l.score, -1 as sign,
                   (n.accepted, n.score, n.date, n.product_id, n.family_id, n.pros, n.cons, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
                     is distinct from (l.accepted, l.score, l.date, l.product_id, l.family_id, l.pros, l.cons, l.answers, l.lang, l.verified_buyer, l.images <> '[]') as figures
              from gone l join came n on n.client_id = l.client_id and n.id = l.id
             where l.accepted and (n.body, n.images) is distinct from (l.body, l.images)
            union all
            select n.client_id, n.product_id, n.family_id, n.score, 1,
                   (n.accepted, n.score, n.date, n.product_id, n.family_id, n.pros, n.cons, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
                     is distinct from (l.accepted, l.score, l.date, l.product_id, l.family_id, l.pros, l.cons, l.answers, l.lang, l.verified_buyer, l.images <> '[]')
              from came n join gone l on l.client_id = n.client_id and l.id = n.id
             where n.accepted and (n.body, n.images) is distinct from (l.body, l.images)) r);
  perform add_review_changes(changes);
  -- A vote or a reply ends here: no facet moves without a figure.
  if not exists (select from unnest(changes) where figures) then return null; end if;
  perform add_facet_changes(array(
    select (r.client_id, r.product_id, r.family_id, f.facet, f.value, r.sign)::facet_change
      from (select l.client_id, l.product_id, l.family_id, l.lang, l.images, l.verified_buyer, l.answers, -1 as sign
              from gone l join came n on n.client_id = l.client_id and n.id = l.id
             where l.accepted
               and (n.accepted, n.product_id, n.family_id, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
                 is distinct from (l.accepted, l.product_id, l.family_id, l.answers, l.lang, l.verified_buyer, l.images <> '[]')
            union all
            select n.client_id, n.product_id, n.family_id, n.lang, n.images, n.verified_buyer, n.answers, 1
              from came n join gone l on l.client_id = n.client_id and l.id = n.id
             where n.accepted
               and (n.accepted, n.product_id, n.family_id, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
                 is distinct from (l.accepted, l.product_id, l.family_id, l.answers, l.lang, l.verified_buyer, l.images <> '[]')) r
      cross join lateral facets_of(r.lang, r.images, r.verified_buyer, r.answers) f));
  return null;
end $$;
create or replace function count_gone_reviews() returns trigger language plpgsql as $$
begin
  -- A client that goes takes its counters along.
  perform add_review_changes(array(
    select (g.client_id, g.product_id, g.family_id, g.score, -1, true)::summary_change
      from gone g join clients c on c.id = g.client_id where g.accepted));
  perform add_facet_changes(array(
    select (g.client_id, g.product_id, g.family_id, f.facet, f.value, -1)::facet_change
      from gone g join clients c on c.id = g.client_id
      cross join lateral facets_of(g.lang, g.images, g.verified_buyer, g.answers) f where g.accepted));
  return null;
end $$;

insert into review_facets (client_id, kind, subject_id, facet, value, count)
  select r.client_id, s.kind, s.subject_id, f.facet, f.value, count(*)
    from reviews r cross join lateral facets_of(r.lang, r.images, r.verified_buyer, r.answers) f
    cross join lateral (values ('product', r.product_id), ('family', r.family_id)) s(kind, subject_id)
   where r.accepted and s.subject_id is not null
   group by 1, 2, 3, 4, 5;
-- >>> 20261122010300_count_changes_once
-- A changed review was looked for four times by each statement that changed it, twice for its counters and twice for its
-- facets. Old and new row are now put side by side once, and a vote or a reply, which moves no figure, ends there.
create type review_pair as (
  client_id text, was boolean, "is" boolean, old_product text, new_product text, old_family text, new_family text,
  old_score int, new_score int, figures boolean, facets boolean,
  old_lang text, new_lang text, old_images jsonb, new_images jsonb, old_verified boolean, new_verified boolean,
  old_answers jsonb, new_answers jsonb);

create or replace function count_changed_reviews() returns trigger language plpgsql as $$
declare
  pairs review_pair[];
begin
  pairs := array(
    select (l.client_id, l.accepted is true, n.accepted is true, l.product_id, n.product_id, l.family_id, n.family_id, l.score, n.score,
            (n.accepted, n.score, n.date, n.product_id, n.family_id, n.pros, n.cons, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
              is distinct from
            (l.accepted, l.score, l.date, l.product_id, l.family_id, l.pros, l.cons, l.answers, l.lang, l.verified_buyer, l.images <> '[]'),
            (n.accepted, n.product_id, n.family_id, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
              is distinct from
            (l.accepted, l.product_id, l.family_id, l.answers, l.lang, l.verified_buyer, l.images <> '[]'),
            l.lang, n.lang, l.images, n.images, l.verified_buyer, n.verified_buyer, l.answers, n.answers)::review_pair
      from gone l join came n on n.client_id = l.client_id and n.id = l.id
     where (l.accepted or n.accepted) and (n.body, n.images) is distinct from (l.body, l.images));
  if cardinality(pairs) = 0 then return null; end if;
  perform add_review_changes(array(
    select (p.client_id, c.product_id, c.family_id, c.score, c.sign, p.figures)::summary_change
      from unnest(pairs) p cross join lateral (values
        (p.was, p.old_product, p.old_family, p.old_score, -1), (p."is", p.new_product, p.new_family, p.new_score, 1))
        c(shown, product_id, family_id, score, sign)
     where c.shown));
  if not exists (select from unnest(pairs) where facets) then return null; end if;
  perform add_facet_changes(array(
    select (p.client_id, c.product_id, c.family_id, f.facet, f.value, c.sign)::facet_change
      from unnest(pairs) p cross join lateral (values
        (p.was, p.old_product, p.old_family, p.old_lang, p.old_images, p.old_verified, p.old_answers, -1),
        (p."is", p.new_product, p.new_family, p.new_lang, p.new_images, p.new_verified, p.new_answers, 1))
        c(shown, product_id, family_id, lang, images, verified, answers, sign)
      cross join lateral facets_of(c.lang, c.images, c.verified, c.answers) f
     where c.shown and p.facets));
  return null;
end $$;
-- >>> 20261122040000_answer_questions
-- Merchants answer questions in the portal, and decide on seller reviews, questions and answers in one queue with reviews:
-- its lists of every kind have an index in their order, and published questions without an answer are found at once.

alter table answers add column decided_at timestamptz(3);

create index questions_unanswered_idx on questions (client_id, created_at, id) where (accepted AND answer_count = 0);
create index questions_unverified_idx on questions (client_id, created_at, id)
  where (verification IS NOT NULL AND accepted IS NULL);
create index seller_reviews_rejected_created_idx on seller_reviews (client_id, created_at, id) where (accepted = false);
create index seller_reviews_client_id_order_id_idx on seller_reviews (client_id, order_id) where (order_id IS NOT NULL);
create index answers_client_id_created_at_id_idx on answers (client_id, created_at, id);
create index answers_pending_idx on answers (client_id, created_at, id) where (accepted IS NULL);
-- >>> 20261122041000_keep_reply_templates
-- Texts that a shop's people reply with again and again, with places for the author's name and the like.
create table reply_templates (
  client_id text collate "C" not null references clients (id) on delete cascade on update cascade,
  id text collate "C" not null,
  name text collate "C" not null,
  text text collate "C" not null,
  user_id text collate "C",
  created_at timestamptz(3) not null default current_timestamp,
  constraint reply_templates_pkey primary key (client_id, id)
);
create unique index reply_templates_client_id_name_key on reply_templates (client_id, name);
-- >>> 20261122050000_tell_suppressions_apart
-- One row an address made the reasons share it: an opt-out took the place of a bounce, and taking the opt-out back
-- wrote to a dead mailbox again. Each reason is a row of its own, and goes by itself.

alter table "suppressions" drop constraint "suppressions_pkey";
alter table "suppressions" add constraint "suppressions_pkey" primary key ("client_id", "email_hash", "reason");

-- What becomes of a mail is told by the mail; its invitation is found by that.
create index "invitations_client_id_mail_id_idx" on "invitations"("client_id", "mail_id");

-- What the mail service told of an invitation's mail: that it arrived, that it could not, that a person (no machine) opened it.
alter table "invitations" add column "delivered_at" timestamptz(3), add column "bounced_at" timestamptz(3), add column "opened_at" timestamptz(3);
-- >>> 20261122050100_batch_mails
-- Mails handed over in one call share its idempotency key, and a repetition is one only if it brings the same mails. So
-- a mail remembers its batch until it is known what became of it.

alter table "mails" add column "batch" text collate "C";
create index "mails_batch_idx" on "mails"("batch") where (batch is not null);
-- >>> 20261122050200_remind_once
-- An invitation is reminded of once, whatever runs at the same time, crashes or is retried: a fact of the database.
create unique index "invitations_client_id_reminder_of_key" on "invitations"("client_id", "reminder_of");
-- >>> 20261122060000_count_mails_by_day
-- The funnel counts the mails of some days; without this it read all mails that the client ever sent.

create index "invitations_client_id_day_idx" on "invitations" ("client_id", "day");
-- >>> 20261122070000_fetch_feeds
-- Feeds are fetched by a schedule, and files are uploaded in parts. An address may hold a user, a password or a key: it is
-- kept sealed, and `url` is what may be shown of it. What became of the last run stands with the setting, since a run that
-- finds nothing new leaves no import.
alter table "feeds"
  add column "sealed_url" bytea not null default '',
  add column "next_run_at" timestamptz(3),
  add column "asked_at" timestamptz(3),
  add column "last_outcome" text collate "C",
  add column "last_error" text collate "C",
  add constraint "feeds_last_outcome_check" check (last_outcome in ('imported', 'unchanged', 'refused', 'failed'));

-- What is due, for all clients at once.
create index "feeds_due_idx" on "feeds"("next_run_at") where (enabled);

-- A file that somebody uploads to be imported. Its parts lie in the store of files until the import is done.
create table "feed_uploads" (
  "client_id" text collate "C" not null,
  "id" text collate "C" not null,
  "kind" text collate "C" not null,
  "filename" text collate "C" not null,
  "import_id" text collate "C",
  "parts" integer,
  "created_at" timestamptz(3) not null default current_timestamp,
  constraint "feed_uploads_pkey" primary key ("client_id", "id"),
  constraint "feed_uploads_client_id_fkey" foreign key ("client_id") references "clients"("id") on delete cascade on update cascade
);
create unique index "feed_uploads_client_id_import_id_key" on "feed_uploads"("client_id", "import_id");
create index "feed_uploads_created_at_idx" on "feed_uploads"("created_at");
-- >>> 20261122080000_find_items_and_requests
-- The portal finds orders by a SKU of theirs, newest first, and the register of requests about personal data among all
-- that is audited.
create index "order_items_client_id_id_created_at_order_id_idx" on "order_items"("client_id", "id", "created_at", "order_id");
create index "audit_entries_personal_data_idx" on "audit_entries"("client_id", "at", "id") where (action like 'personal_data.%');
-- >>> 20261122110000_mark_asked_items
-- An hour's run looked up again and again that every item of the last weeks had been asked for: seconds for a million.
-- What has been asked for is marked, and the planner walks over the rest only. A trigger keeps the mark, whoever writes.

alter table "order_items" add column "asked" boolean not null default false;

update "order_items" i set asked = true
  from "invitation_items" a
 where a.client_id = i.client_id and a.order_id = i.order_id and a.item_id = i.id;

create index "order_items_unasked_idx" on "order_items"("client_id", "delivery_date", "order_id", "id")
  where (reviewable and delivery_date is not null and not asked);

-- Rows in the order of their keys, as whoever else writes several items has them.
create function mark_asked_items() returns trigger language plpgsql as $$
begin
  with touched as (
    select i.client_id, i.order_id, i.id
      from changed a
      join order_items i on i.client_id = a.client_id and i.order_id = a.order_id and i.id = a.item_id
     where i.asked is distinct from (tg_op = 'INSERT')
     order by i.client_id, i.order_id, i.id for no key update of i
  )
  update order_items i set asked = (tg_op = 'INSERT')
    from touched t where i.client_id = t.client_id and i.order_id = t.order_id and i.id = t.id;
  return null;
end $$;

create trigger invitation_items_asked after insert on invitation_items
  referencing new table as changed for each statement execute function mark_asked_items();
create trigger invitation_items_freed after delete on invitation_items
  referencing old table as changed for each statement execute function mark_asked_items();
-- >>> 20261122110100_find_unknown_items
-- Where an order holds only what the catalogue does not know, the shop alone may be asked about. Few items are like that;
-- without this every one that was ever cancelled would be read to find them.

create index "order_items_unknown_idx" on "order_items"("client_id", "delivery_date", "order_id", "id")
  where (not reviewable and reviewable_set is distinct from false and delivery_date is not null and not asked);
-- >>> 20261122120000_look_at_items
-- Who looks at what in the queue: one row a person and client, which their next look takes the place of.
create table queue_looks (
  client_id text collate "C" not null references clients (id) on delete cascade on update cascade,
  user_id text collate "C" not null references users (id) on delete cascade on update cascade,
  kind text collate "C" not null,
  subject_id text collate "C" not null,
  began_at timestamptz(3) not null default current_timestamp,
  seen_at timestamptz(3) not null default current_timestamp,
  constraint queue_looks_pkey primary key (client_id, user_id)
);
create index queue_looks_client_id_subject_id_idx on queue_looks (client_id, subject_id);
-- >>> 20261122120100_hide_photos
-- A photo that the shop does not show while what came with it is shown: it leaves the `images` of its subject, and stays
-- claimed by it, so that it can be shown again.
alter table uploads add column hidden_at timestamptz(3);
-- >>> 20261122130000_know_people
-- People who sign in: how to reach them, where they are signed in, and links by which they set a password.

-- `email_key` is the address as it is compared; whoever forgot a password may name it in any spelling.
alter table users
  add column name text collate "C",
  add column email_key text collate "C";
create index users_email_key_idx on users (email_key) where email_key is not null;

-- The version of the person that a session began with (or was carried over to, when the person changed the password in
-- it): raising users.session_version ends every other one.
alter table portal_sessions add column session_version integer not null default 1;
create trigger portal_sessions_tell_caches after update of ended_at, session_version or delete on portal_sessions
  for each row execute function tell_caches('user', 'user_id');

-- A mailed link by which a person sets a password, once; the hash of its secret only.
create table password_links (
  hash text collate "C" not null,
  user_id text collate "C" not null references users (id) on delete cascade on update cascade,
  kind text collate "C" not null,
  created_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  constraint password_links_pkey primary key (hash),
  constraint password_links_kind_check check (kind in ('invitation', 'reset'))
);
create index password_links_user_id_idx on password_links (user_id);

-- What concerns a whole account stands in no client's log; those who reach the account see it with theirs.
create index audit_entries_account_idx on audit_entries (account_id, at, id) where (client_id is null);
-- >>> 20261122130100_second_factor
-- A second factor: the sealed secret that an authenticator app was shown and has yet to prove (`totp_pending`), the last
-- step of time whose code was used, so that none is used twice, and keyed hashes of the codes for a lost app.
alter table users
  add column totp_pending bytea,
  add column totp_last_step bigint,
  add column recovery_codes text[] not null default '{}';
-- >>> 20261122140000_find_failures
-- Home says what failed and shows it; these hold nothing but failures, so looking costs the same however much went well.

create index "mails_failed_idx" on "mails" ("client_id", "created_at", "id") where (status = 'failed');
create index "deliveries_failed_idx" on "deliveries" ("client_id", "created_at", "id") where (outcome = 'failed');
create index "job_runs_failed_idx" on "job_runs" ("queued_at", "id") where (status = 'failed');
-- >>> 20261122150100_keep_integration_runs
-- What became of each run of an integration, so that a person sees why nothing came in last night.
create table "integration_runs" (
  "client_id" text collate "C" not null,
  "id" text collate "C" not null,
  "type" text collate "C" not null,
  "started_at" timestamptz(3) not null default current_timestamp,
  "finished_at" timestamptz(3),
  "outcome" text collate "C" not null default 'running',
  "counts" jsonb not null default '{}',
  "error" text,
  constraint "integration_runs_pkey" primary key ("client_id", "id"),
  constraint "integration_runs_outcome_check" check (outcome in ('running', 'done', 'failed')),
  constraint "integration_runs_client_id_type_fkey" foreign key ("client_id", "type")
    references "integrations"("client_id", "type") on delete cascade on update cascade
);
create index "integration_runs_client_id_type_started_at_id_idx" on "integration_runs"("client_id", "type", "started_at", "id");

-- How fast partners may be asked, whichever process asks and for whichever client: the next free moment of each.
create table "partner_paces" (
  "key" text collate "C" not null,
  "next_at" timestamptz(3) not null,
  constraint "partner_paces_pkey" primary key ("key")
);
create index "partner_paces_next_at_idx" on "partner_paces"("next_at");
-- >>> 20261122150200_deliver_webhooks
-- Webhooks are told what happened, in order for each review. What is to be told is written by a trigger on the outbox, in
-- the transaction of the change itself: transactions that change the same row follow each other, so their rows here do.
alter table "webhooks"
  -- all of the address; `url` is what may be shown of it
  add column "sealed_url" bytea not null default '',
  add column "paused_at" timestamptz(3),
  add column "disabled_reason" text collate "C",
  -- since when nothing got through, and when it is tried again
  add column "failing_since" timestamptz(3),
  add column "failures" integer not null default 0,
  add column "next_try_at" timestamptz(3),
  add column "last_sent_at" timestamptz(3),
  add column "last_error" text,
  add constraint "webhooks_disabled_reason_check" check (disabled_reason in ('gone', 'failing'));

create table "webhook_deliveries" (
  "client_id" text collate "C" not null,
  "id" bigint generated always as identity,
  "webhook_id" text collate "C" not null,
  "message_id" text collate "C" not null default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  "event" text collate "C" not null,
  "subject" text collate "C" not null,
  "data" jsonb not null,
  "happened_at" timestamptz(3) not null,
  "state" text collate "C" not null default 'pending',
  "attempts" integer not null default 0,
  "due_at" timestamptz(3) not null,
  "tried_at" timestamptz(3),
  "status" integer,
  "error" text,
  "fact_id" bigint,
  "created_at" timestamptz(3) not null default current_timestamp,
  constraint "webhook_deliveries_pkey" primary key ("client_id", "id"),
  constraint "webhook_deliveries_state_check" check (state in ('pending', 'sent', 'failed')),
  constraint "webhook_deliveries_client_id_webhook_id_fkey" foreign key ("client_id", "webhook_id")
    references "webhooks"("client_id", "id") on delete cascade on update cascade
);
create index "webhook_deliveries_client_id_webhook_id_id_idx" on "webhook_deliveries"("client_id", "webhook_id", "id");
create index "webhook_deliveries_client_id_subject_idx" on "webhook_deliveries"("client_id", "subject");
create index "webhook_deliveries_waiting_idx" on "webhook_deliveries"("client_id", "webhook_id", "subject", "id") where (state = 'pending');
create index "webhook_deliveries_due_idx" on "webhook_deliveries"("due_at") where (state = 'pending');
create index "webhook_deliveries_fact_id_idx" on "webhook_deliveries"("fact_id") where (state = 'pending');
create index "webhook_deliveries_created_at_idx" on "webhook_deliveries"("created_at");

-- Whether somebody is on the way to a webhook already.
create index "outbox_webhook_due_idx" on "outbox"((data ->> 'webhook_id')) where (relayed_at is null and name = 'webhook/due');

-- The event that a fact is told as; null where it is nobody else's business.
create function webhook_event(name text, data jsonb) returns text language sql immutable parallel safe as $$
  select case
    when name in ('review/submitted', 'seller_review/submitted', 'question/submitted')
      then split_part(name, '/', 1) || case when data ? 'edited' then '.updated' else '.created' end
    when name in ('review/decided', 'seller_review/decided', 'question/decided')
      then split_part(name, '/', 1) || case data ->> 'to' when 'accepted' then '.accepted' when 'rejected' then '.rejected' else '.updated' end
    when name in ('review/verified', 'question/verified') then split_part(name, '/', 1) || '.updated'
    when name in ('review/created', 'review/updated', 'review/deleted', 'review/replied',
                  'seller_review/deleted', 'seller_review/replied', 'question/deleted', 'question/replied',
                  'invitation/scheduled', 'invitation/sent', 'invitation/skipped', 'invitation/bounced',
                  'personal_data/deleted') then replace(name, '/', '.')
  end
$$;

create function tell_webhooks() returns trigger language plpgsql as $$
begin
  -- Hardly any statement writes a fact of a client with a webhook: the rest pays for one look.
  if not exists (select from told t join webhooks w on w.client_id = t.client_id) then return null; end if;
  with written as (
    insert into webhook_deliveries (client_id, webhook_id, event, subject, data, happened_at, due_at, fact_id)
    select t.client_id, w.id, e.event,
           coalesce(t.data ->> 'review_id', t.data ->> 'seller_review_id', t.data ->> 'question_id',
                    t.data ->> 'invitation_id', t.data ->> 'erasure_id'),
           jsonb_strip_nulls(jsonb_build_object(
             'review_id', t.data -> 'review_id', 'seller_review_id', t.data -> 'seller_review_id',
             'question_id', t.data -> 'question_id', 'response_id', t.data -> 'response_id',
             'answer_id', t.data -> 'answer_id', 'invitation_id', t.data -> 'invitation_id',
             'deletion_id', t.data -> 'erasure_id', 'reason', t.data -> 'reason')),
           coalesce(t.clock_at, t.created_at), t.available_at, t.id
      from told t
      join webhooks w on w.client_id = t.client_id
      cross join lateral (select webhook_event(t.name, t.data) as event) e
     -- One that is gone hears nothing any more, and one that was down for a month nothing new.
     where e.event is not null and e.event = any(w.events) and w.disabled_reason is distinct from 'gone'
       and (w.disabled_at is null or w.disabled_at > now() - interval '30 days')
     order by t.id
    returning client_id, webhook_id, due_at)
  insert into outbox (client_id, name, data, available_at)
  select client_id, 'webhook/due', jsonb_build_object('client_id', client_id, 'webhook_id', webhook_id), min(due_at)
    from written d
   where not exists (select from outbox o where o.relayed_at is null and o.name = 'webhook/due'
                        and o.data ->> 'webhook_id' = d.webhook_id and o.available_at <= d.due_at)
   group by client_id, webhook_id;
  return null;
end
$$;
create trigger outbox_tell_webhooks after insert on outbox
  referencing new table as told for each statement execute function tell_webhooks();

-- A fact that is taken back before it is told (a decision undone) is not told to webhooks either.
create function take_back_webhooks() returns trigger language plpgsql as $$
begin
  if not exists (select from gone where relayed_at is null and available_at > now() + interval '1 ms') then return null; end if;
  delete from webhook_deliveries d using gone g
   where d.fact_id = g.id and d.state = 'pending' and g.relayed_at is null and g.available_at > now() + interval '1 ms';
  return null;
end
$$;
create trigger outbox_take_back_webhooks after delete on outbox
  referencing old table as gone for each statement execute function take_back_webhooks();
-- >>> 20261122170000_inline_json_helpers
-- A function in SQL becomes part of the query that calls it, unless it promises more than what it calls keeps. These two
-- promised `immutable` around `to_json` and `to_char`, which are stable; so each ran as a query of its own, a dozen times for
-- each review that was written or voted on.
alter function json_text(text) stable;
alter function json_time(timestamptz) stable;
-- >>> 20261122180100_find_told_contacts
-- What a contact of the engagement platform was told of, and whose an interaction there is, is looked up by the platform's
-- own ids, with every review that is told.

create index "deliveries_client_id_remote_id_idx" on "deliveries"("client_id", "remote_id") where (remote_id is not null);
-- >>> 20261122180200_note_reviews_for_engagement
-- Something happened to a review of a client with an engagement platform. The fact is written here and not listened to as
-- it is, so that the submissions of all other clients start no run: they pay for one look.

create function note_reviews_for_engagement() returns trigger language plpgsql as $$
begin
  if not exists (select from written w join integrations i on i.client_id = w.client_id and i.type = 'engagement') then
    return null;
  end if;
  insert into outbox (client_id, name, data, available_at, origin_id, clock_at)
  select w.client_id, 'engagement/review', jsonb_build_object('client_id', w.client_id, 'review_id', w.data -> 'review_id'),
         w.available_at, w.origin_id, w.clock_at
    from written w
    join integrations i on i.client_id = w.client_id and i.type = 'engagement'
   where w.name in ('review/submitted', 'review/verified', 'review/decided', 'review/deleted')
   order by w.id;
  return null;
end
$$;
create trigger outbox_note_reviews_for_engagement after insert on outbox
  referencing new table as written for each statement execute function note_reviews_for_engagement();
-- >>> 20261122190000_tell_of_photos
-- A photo that is hidden or shown again changes what others see of a seller review or question: webhooks are told, as they
-- are of a review that was changed.
create or replace function webhook_event(name text, data jsonb) returns text language sql immutable parallel safe as $$
  select case
    when name in ('review/submitted', 'seller_review/submitted', 'question/submitted')
      then split_part(name, '/', 1) || case when data ? 'edited' then '.updated' else '.created' end
    when name in ('review/decided', 'seller_review/decided', 'question/decided')
      then split_part(name, '/', 1) || case data ->> 'to' when 'accepted' then '.accepted' when 'rejected' then '.rejected' else '.updated' end
    when name in ('review/verified', 'question/verified') then split_part(name, '/', 1) || '.updated'
    when name in ('review/created', 'review/updated', 'review/deleted', 'review/replied',
                  'seller_review/updated', 'seller_review/deleted', 'seller_review/replied',
                  'question/updated', 'question/deleted', 'question/replied',
                  'invitation/scheduled', 'invitation/sent', 'invitation/skipped', 'invitation/bounced',
                  'personal_data/deleted') then replace(name, '/', '.')
  end
$$;
-- >>> 20261123010000_name_the_lasting_secret
-- Keyed hashes of people who were erased can never be made anew, so the secret that they are made with must stay the same for
-- as long as the installation lives. Which one that is stands here, by its id: a start with another is refused, since
-- whoever asked for no more mail would be unknown to it.
create table "lasting_secret" (
  "one" boolean primary key default true check ("one"),
  "key_id" text not null check ("key_id" ~ '^[0-9a-f]{8}$'),
  "noted_at" timestamptz(3) not null default now()
);
-- >>> 20261123010100_hand_invitations_over
-- An invitation can be handed to a sender of the merchant's own instead of being mailed: when it was is kept, and webhooks that
-- ask for it are told.
alter table "invitations" add column "handed_at" timestamptz(3);

create or replace function webhook_event(name text, data jsonb) returns text language sql immutable parallel safe as $$
  select case
    when name in ('review/submitted', 'seller_review/submitted', 'question/submitted')
      then split_part(name, '/', 1) || case when data ? 'edited' then '.updated' else '.created' end
    when name in ('review/decided', 'seller_review/decided', 'question/decided')
      then split_part(name, '/', 1) || case data ->> 'to' when 'accepted' then '.accepted' when 'rejected' then '.rejected' else '.updated' end
    when name in ('review/verified', 'question/verified') then split_part(name, '/', 1) || '.updated'
    when name in ('review/created', 'review/updated', 'review/deleted', 'review/replied',
                  'seller_review/updated', 'seller_review/deleted', 'seller_review/replied',
                  'question/updated', 'question/deleted', 'question/replied',
                  'invitation/scheduled', 'invitation/handed', 'invitation/sent', 'invitation/skipped', 'invitation/bounced',
                  'personal_data/deleted') then replace(name, '/', '.')
  end
$$;
-- >>> 20261123020000_ask_deliveries_again
-- A delivery is given up after its days. Where a person asks for it again later, those days begin anew, while the row
-- keeps its place in the log: so the moment of asking is a column of its own.
ALTER TABLE "deliveries" ADD COLUMN "asked_at" TIMESTAMPTZ(3);
-- >>> 20261123030000_read_data_shares
-- What a client's data share tells: receipts, their items, contacts, stores and articles come apart, at different times and
-- in several versions, so the newest of each is kept. Contacts are people: an erasure finds them by customer and address.

create table "share_rows" (
  "client_id" text collate "C" not null,
  "part" text collate "C" not null,
  "id" text collate "C" not null,
  "receipt_id" text collate "C",
  "contact_id" text collate "C",
  "sku" text collate "C",
  "customer_id" text collate "C",
  "email_key" text collate "C",
  "imported_at" timestamptz(6),
  "todo" boolean not null default false,
  "data" jsonb not null default '{}',
  constraint "share_rows_pkey" primary key ("client_id", "part", "id"),
  constraint "share_rows_part_check" check (part in ('stores', 'articles', 'contacts', 'receipts', 'items')),
  constraint "share_rows_client_id_fkey" foreign key ("client_id") references "clients"("id") on delete cascade on update cascade
);
create index "share_rows_client_id_contact_id_part_sku_idx" on "share_rows"("client_id", "contact_id", "part", "sku")
  where contact_id is not null;
create index "share_rows_client_id_receipt_id_idx" on "share_rows"("client_id", "receipt_id") where receipt_id is not null;
create index "share_rows_client_id_customer_id_idx" on "share_rows"("client_id", "customer_id") where customer_id is not null;
create index "share_rows_client_id_email_key_idx" on "share_rows"("client_id", "email_key") where email_key is not null;
create index "share_rows_todo_idx" on "share_rows"("client_id", "id") where todo;

-- Files never change, so one that was read to its end is not read again.
create table "share_files" (
  "client_id" text collate "C" not null,
  "part" text collate "C" not null,
  "file_id" text collate "C" not null,
  constraint "share_files_pkey" primary key ("client_id", "part", "file_id"),
  constraint "share_files_client_id_fkey" foreign key ("client_id") references "clients"("id") on delete cascade on update cascade
);
-- >>> 20261123050100_role_per_client
-- A person may moderate one shop and only read another: a role of its own at a client. Null is the person's usual role, so
-- everybody keeps what they have.
alter table user_clients add column role text collate "C",
  add constraint user_clients_role_check check (role in ('admin', 'moderator', 'viewer'));
-- >>> 20261123050200_proven_addresses
-- Anybody may write a stranger's address to their own login. Who has shown that an address is theirs, by using a link that
-- was mailed to it, comes first where a password is forgotten.
alter table users add column email_proven_at timestamptz(3);
update users u set email_proven_at = proof.at
  from (select subject, max(at) as at from audit_entries where action in ('password.set', 'password.reset') group by subject) proof
 where proof.subject = u.id and u.email is not null
   and not exists (select from audit_entries e
                    where e.subject = u.id and e.action = 'user.address_changed' and e.at > proof.at);
-- >>> 20261123050300_places_for_offsets
-- Time zones that are offsets are refused, and a client that still had one could save none of the settings beside it. Each
-- becomes a place that keeps that offset all year; one that no place keeps goes, which is UTC.
update clients set config = case
    when place.name is null then config - 'time_zone'
    else jsonb_set(config, '{time_zone}', to_jsonb(place.name)) end
  from (select id, (regexp_match(config ->> 'time_zone', '^([+-])([0-9]{2}):?([0-9]{2})?$')) as parts
          from clients where config ->> 'time_zone' ~ '^[+-]') given
  left join lateral (select case
      -- Etc/GMT-2 is two hours ahead: its sign is the other way round.
      when coalesce(given.parts[3], '00') = '00' and given.parts[2]::int = 0 then 'UTC'
      when coalesce(given.parts[3], '00') = '00' and given.parts[1] = '+' and given.parts[2]::int <= 14
        then 'Etc/GMT-' || given.parts[2]::int
      when coalesce(given.parts[3], '00') = '00' and given.parts[1] = '-' and given.parts[2]::int <= 12
        then 'Etc/GMT+' || given.parts[2]::int
      else (select zone from (values ('+0330', 'Asia/Tehran'), ('+0430', 'Asia/Kabul'), ('+0530', 'Asia/Kolkata'),
              ('+0545', 'Asia/Kathmandu'), ('+0630', 'Asia/Yangon'), ('+0845', 'Australia/Eucla'),
              ('+0930', 'Australia/Darwin'), ('-0930', 'Pacific/Marquesas')) known(sign, zone)
             where sign = given.parts[1] || given.parts[2] || given.parts[3]) end as name) place on true
 where clients.id = given.id;
-- >>> 20261123060000_decide_photos
-- Photos of texts that rules published were seen by nobody: they wait in the queue, each to be decided by itself. Most
-- uploads never do (a person who accepts a text sees its photos), so the queue's indexes hold only those that did.
alter table uploads
  add column queued_at timestamptz(3),
  add column accepted boolean,
  add column accepted_at timestamptz(3),
  add column reject_reason text,
  add column decided_at timestamptz(3);
create index uploads_waiting_idx on uploads (client_id, queued_at, token) where queued_at is not null and accepted is null;
create index uploads_decided_idx on uploads (client_id, accepted, queued_at, token) where queued_at is not null;
create index uploads_queued_idx on uploads (client_id, queued_at, token) where queued_at is not null;

-- What was hidden so far is a decision too.
update uploads set queued_at = hidden_at, accepted = false, reject_reason = 'unspecified', decided_at = hidden_at
 where hidden_at is not null;

-- Photos as the queue knows items: under an id, since when they wait, with the columns of a decision.
create view photos as
  select client_id, token as id, queued_at as created_at, accepted, accepted_at, reject_reason, decided_at,
         subject_kind, subject_id, key, format, width, height, sizes
    from uploads where queued_at is not null;
-- >>> 20261123060100_list_by_outcome
-- Logs are read by what became of an entry, mostly by what is rare: without these, the few that failed among a million are
-- found by looking at all of them.
create index deliveries_outcome_idx on deliveries (client_id, type, outcome, created_at, id);
create index webhook_deliveries_state_idx on webhook_deliveries (client_id, webhook_id, state, id);
-- Kept mails are few where a mail service is set up.
create index mails_kept_idx on mails (created_at, id) where status = 'kept';
-- >>> 20261123070000_decide_on_items
-- What people decide about asking for an item: hold it back (for good, or until a day), let it go, send its mail now.

alter table order_items add column held_until date;
alter table invitations add column by_hand boolean not null default false;

-- Who decided what, and when. It goes with the item.
create table item_notes (
  client_id text collate "C" not null,
  order_id text collate "C" not null,
  item_id text collate "C" not null,
  id bigint generated always as identity,
  action text collate "C" not null,
  until date,
  actor_kind text collate "C" not null,
  actor_id text collate "C",
  at timestamptz(3) not null default current_timestamp,
  constraint item_notes_pkey primary key (client_id, order_id, item_id, id),
  constraint item_notes_action_check check (action in ('held', 'released', 'sent')),
  constraint item_notes_client_id_order_id_item_id_fkey foreign key (client_id, order_id, item_id)
    references order_items (client_id, order_id, id) on delete cascade on update cascade
);
-- >>> 20261123070100_send_digests
-- Who of a shop's people is told by mail what waits there, how often and at which hour of the shop's day.

create table digests (
  user_id text collate "C" not null references users (id) on delete cascade on update cascade,
  client_id text collate "C" not null references clients (id) on delete cascade on update cascade,
  every text collate "C" not null,
  hour integer not null,
  -- the client's day up to which it is done: no second mail for the same one
  last_day date not null,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint digests_pkey primary key (user_id, client_id),
  constraint digests_every_check check (every in ('day', 'week')),
  constraint digests_hour_check check (hour between 0 and 23)
);
create index digests_client_id_idx on digests (client_id);
-- >>> 20261128100000_version_of_integrations
-- Two people who change an integration at once must not lose each other's change: it is saved against the version seen.
alter table integrations add column version integer not null default 1;
-- >>> 20261128200100_note_taken_mails
-- When the merchant's own sender took a mail that was handed to it: one that nobody took was never sent, is reminded of by
-- nobody, and is judged anew before it is told. Until now it stood in the webhooks' log alone, which goes after thirty days.
alter table "invitations" add column "taken_at" timestamptz(3);

-- What the sender told of a mail's fate says that it took it, whether or not its answer came through.
with told as (
  select d.client_id, d.subject as id, max(d.attempts) as attempts, bool_or(d.state = 'pending') as waits,
         coalesce(max(d.tried_at) filter (where d.state = 'sent'),
                  min(least(i.delivered_at, i.bounced_at, i.opened_at, i.clicked_at))) as taken_at
    from webhook_deliveries d join invitations i on i.client_id = d.client_id and i.id = d.subject
   where d.event = 'invitation.handed' group by d.client_id, d.subject
)
update invitations i
   set attempts = greatest(i.attempts, t.attempts), taken_at = t.taken_at,
       -- Given up or withdrawn: not sent. What may have arrived all the same stays asked for.
       status = case when t.taken_at is null and not t.waits then 'failed' else i.status end,
       sent_at = case when t.taken_at is null and not t.waits then null else i.sent_at end,
       error = case when t.taken_at is null and not t.waits then 'not_taken' else i.error end
  from told t where i.client_id = t.client_id and i.id = t.id and i.handed_at is not null;

-- Of what is older than the log nothing else is known than that it was handed over.
update invitations i set taken_at = handed_at
 where handed_at is not null and taken_at is null
   and not exists (select from webhook_deliveries d
                    where d.client_id = i.client_id and d.subject = i.id and d.event = 'invitation.handed');
-- >>> 20261128200200_queue_unseen_photos
-- Photos of texts that rules had published before photos were decided on were seen by nobody, and waited for nobody: neither
-- accepted nor in the queue. They wait from now on, and are shown meanwhile, as those that rules publish today. Where
-- a person or a system published the words since the photo came, it was seen with them. Those of the last thirty days only:
-- a shop's older ones, by the thousand, would stand in front of all that comes today, and have been looked at by visitors.
update uploads u set queued_at = now()
  from (
    select 'review' as kind, client_id, id from reviews where accepted
    union all select 'seller_review', client_id, id from seller_reviews where accepted
    union all select 'question', client_id, id from questions where accepted
  ) s
 where u.client_id = s.client_id and u.subject_kind = s.kind and u.subject_id = s.id
   and u.claimed_at > now() - interval '30 days' and u.hidden_at is null and u.accepted is null and u.queued_at is null
   and exists (select from moderation_events e
                where e.client_id = s.client_id and e.kind = s.kind and e.subject_id = s.id
                  and e.to_state = 'accepted' and e.action = 'decided' and e.actor_kind = 'rule' and e.at >= u.claimed_at)
   and not exists (select from moderation_events e
                    where e.client_id = s.client_id and e.kind = s.kind and e.subject_id = s.id
                      and e.to_state = 'accepted' and e.action in ('decided', 'imported') and e.actor_kind <> 'rule'
                      and e.at >= u.claimed_at);
-- >>> 20261129100000_keep_hashes_of_erased
-- An erased person must not come back by what is told of them again, or was being read while they were erased: by the feed
-- that has their orders still, by a shop, by a data share. What went is known by keyed hashes, which tell nobody whose it
-- was, in one place for all of these. Until now only what came from other systems was, among the deliveries of each.
CREATE TABLE "erased_hashes" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "what" TEXT COLLATE "C" NOT NULL,
    "erased_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "erased_hashes_pkey" PRIMARY KEY ("client_id","hash"),
    CONSTRAINT "erased_hashes_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "erased_hashes_what_check" CHECK (what IN ('order', 'contact', 'customer', 'email'))
);

-- Those of people go after some days: only what was being read while they were erased asks for them.
CREATE INDEX "erased_hashes_people_idx" ON "erased_hashes"("client_id", "erased_at") WHERE (what IN ('customer', 'email'));

INSERT INTO "erased_hashes" ("client_id", "hash", "what", "erased_at")
SELECT client_id, subject, CASE kind WHEN 'order_erased' THEN 'order' ELSE 'contact' END, min(created_at)
  FROM "deliveries" WHERE kind IN ('order_erased', 'contact_erased') GROUP BY client_id, subject, kind;
DELETE FROM "deliveries" WHERE kind IN ('order_erased', 'contact_erased');

-- Orders from other systems were noted before they were stored, so that an erasure found them; now their stores and erasures
-- wait for each other. Notes that a crash left are of no use.
DELETE FROM "deliveries" WHERE type IN ('commerce', 'share') AND kind = 'order' AND outcome = 'pending';
-- >>> 20261129102000_keep_hashes_of_receipts
-- Of a data share receipts are known as well: a line may name nobody but its receipt, whatever number the order has.
ALTER TABLE "erased_hashes" DROP CONSTRAINT "erased_hashes_what_check";
ALTER TABLE "erased_hashes" ADD CONSTRAINT "erased_hashes_what_check"
  CHECK (what IN ('order', 'contact', 'receipt', 'customer', 'email'));
-- >>> 20261201100000_keep_addresses_of_erased
-- What a file tells may name nobody but an address: that of a customer who is erased by their id while it is read is known as
-- well, for as long as people are. It counts for what names no customer only, since it may be another customer's too.
ALTER TABLE "erased_hashes" DROP CONSTRAINT "erased_hashes_what_check";
ALTER TABLE "erased_hashes" ADD CONSTRAINT "erased_hashes_what_check"
  CHECK (what IN ('order', 'contact', 'receipt', 'customer', 'email', 'address'));
DROP INDEX "erased_hashes_people_idx";
CREATE INDEX "erased_hashes_people_idx" ON "erased_hashes"("client_id", "erased_at") WHERE (what IN ('customer', 'email', 'address'));
-- >>> 20261201200000_find_handed_mails
-- Before anybody is asked anew it is counted which mails wait to be handed over from earlier days. They are a few among all
-- events that wait, which are many where a receiver is down.
create index webhook_deliveries_handed_idx on webhook_deliveries (client_id, webhook_id, subject)
  where state = 'pending' and event = 'invitation.handed';
-- >>> 20261202100000_take_back_in_order
-- What is taken back holds rows in the order in which everybody does: the webhook first, so that one which is just being
-- removed is waited for before anything of it is held, then what it was to be told, by key.
create or replace function take_back_webhooks() returns trigger language plpgsql as $$
begin
  if not exists (select from gone where relayed_at is null and available_at > now() + interval '1 ms') then return null; end if;
  perform 1 from webhooks w
    where (w.client_id, w.id) in (
      select d.client_id, d.webhook_id from webhook_deliveries d join gone g on g.id = d.fact_id
       where d.state = 'pending' and g.relayed_at is null and g.available_at > now() + interval '1 ms')
    order by w.client_id, w.id for key share of w;
  perform 1 from webhook_deliveries d join gone g on g.id = d.fact_id
    where d.state = 'pending' and g.relayed_at is null and g.available_at > now() + interval '1 ms'
    order by d.id for update of d;
  delete from webhook_deliveries d using gone g
   where d.fact_id = g.id and d.state = 'pending' and g.relayed_at is null and g.available_at > now() + interval '1 ms';
  return null;
end
$$;
-- >>> 20261203100000_know_what_was_taken
-- A fact that is being sent to Inngest was put out of reach by a later time of its own, and looked from then on as if nobody
-- had been told of it yet: an undo removed it, and its undoing was told to nobody either. Now both are known apart.
alter table "outbox" add column "taken_until" timestamptz(3);

-- As before; but who was sent on the way to a webhook may be there already, and not see what is written now.
create or replace function tell_webhooks() returns trigger language plpgsql as $$
begin
  -- Hardly any statement writes a fact of a client with a webhook: the rest pays for one look.
  if not exists (select from told t join webhooks w on w.client_id = t.client_id) then return null; end if;
  with written as (
    insert into webhook_deliveries (client_id, webhook_id, event, subject, data, happened_at, due_at, fact_id)
    select t.client_id, w.id, e.event,
           coalesce(t.data ->> 'review_id', t.data ->> 'seller_review_id', t.data ->> 'question_id',
                    t.data ->> 'invitation_id', t.data ->> 'erasure_id'),
           jsonb_strip_nulls(jsonb_build_object(
             'review_id', t.data -> 'review_id', 'seller_review_id', t.data -> 'seller_review_id',
             'question_id', t.data -> 'question_id', 'response_id', t.data -> 'response_id',
             'answer_id', t.data -> 'answer_id', 'invitation_id', t.data -> 'invitation_id',
             'deletion_id', t.data -> 'erasure_id', 'reason', t.data -> 'reason')),
           coalesce(t.clock_at, t.created_at), t.available_at, t.id
      from told t
      join webhooks w on w.client_id = t.client_id
      cross join lateral (select webhook_event(t.name, t.data) as event) e
     -- One that is gone hears nothing any more, and one that was down for a month nothing new.
     where e.event is not null and e.event = any(w.events) and w.disabled_reason is distinct from 'gone'
       and (w.disabled_at is null or w.disabled_at > now() - interval '30 days')
     order by t.id
    returning client_id, webhook_id, due_at)
  insert into outbox (client_id, name, data, available_at)
  select client_id, 'webhook/due', jsonb_build_object('client_id', client_id, 'webhook_id', webhook_id), min(due_at)
    from written d
   where not exists (select from outbox o where o.relayed_at is null and o.taken_until is null and o.name = 'webhook/due'
                        and o.data ->> 'webhook_id' = d.webhook_id and o.available_at <= d.due_at)
   group by client_id, webhook_id;
  return null;
end
$$;
-- >>> 20261203110000_know_whose_rows_were_refused
-- What is said of a data share's rows that could not be taken names a contact, a receipt or a line of one, and told nobody
-- whose these are, so that no erasure found it. From now on that stands beside it, as keyed hashes. Of what is there already
-- nobody can tell any more: it goes, and comes again when the row is read again. Those of receipts that were taken and made
-- no order stay: an erasure finds them by the receipt.
delete from "deliveries"
 where "type" = 'share' and "outcome" = 'failed' and "remote_id" is null
   and "kind" in ('contact_refused', 'order_refused', 'order_item_refused');
-- >>> 20261203120000_know_when_a_shop_brought
-- Erased people are known for a year after a shop brought its last order. Where that went with one of them, nothing told of it
-- any more: of such orders the last moment is noted, once a client.
ALTER TABLE "erased_hashes" DROP CONSTRAINT "erased_hashes_what_check";
ALTER TABLE "erased_hashes" ADD CONSTRAINT "erased_hashes_what_check"
  CHECK (what IN ('order', 'contact', 'receipt', 'customer', 'email', 'address', 'shop'));
-- >>> 20261203130000_know_how_much_was_left_out
-- A feed of which most rows were left out looked as well as any other: its setting told only that it was read. How many rows
-- it had and how many of them were left out stands there from its next reading on.
alter table "feeds"
  add column "last_read" integer,
  add column "last_rejected" integer;
-- >>> 20261203140000_tell_withdrawn_from_given_up
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
-- >>> 20261203150000_know_what_was_left_out_before
-- A feed whose server answers that nothing changed is not read again, so what was left out of it before that was noted would
-- never be known: it stands in its last import that was read.
update "feeds" f set last_read = i.read, last_rejected = i.rejected
  from (select distinct on (client_id, feed_id) client_id, feed_id, read, rejected
          from feed_imports where feed_id is not null and status = 'done'
         order by client_id, feed_id, started_at desc, id desc) i
 where i.client_id = f.client_id and i.feed_id = f.id and f.last_read is null;
-- >>> 20261203160000_shorten_webhook_paths
-- Paths of webhook addresses carry secrets. The whole address is in sealed_url; what is shown, and what the audit noted of
-- it, is cut after eight characters of the path from now on, and here for what was kept before.
update webhooks set url = regexp_replace(url, '^([a-z]+://[^/]+/.{7}).+$', '\1…') where url ~ '^[a-z]+://[^/]+/.{8}' and url !~ '…$';

update audit_entries set detail = jsonb_set(detail, '{url}', to_jsonb(regexp_replace(detail->>'url', '^([a-z]+://[^/]+/.{7}).+$', '\1…')))
 where action like 'webhook.%' and detail->>'url' ~ '^[a-z]+://[^/]+/.{8}' and detail->>'url' !~ '…$';
-- >>> 20261204021600_remember_failing_jobs
-- Jobs whose last run failed, by store. The engine's own runs do not say it: they are Inngest's where it runs the functions,
-- and a run that failed is no news once the same job has succeeded.
create table "job_failures" (
  "id" bigint generated always as identity,
  "job" text collate "C" not null,
  "client_id" text collate "C" references "clients" ("id") on delete cascade,
  "part" text collate "C" not null default '',
  "run_id" text collate "C" not null,
  "failed_since" timestamptz(3) not null default now(),
  "failed_at" timestamptz(3) not null default now(),
  constraint "job_failures_pkey" primary key ("id"),
  constraint "job_failures_job_client_id_part_key" unique nulls not distinct ("job", "client_id", "part")
);
create index "job_failures_client_id_idx" on "job_failures" ("client_id");
-- >>> 20261204024000_count_tried_codes
-- Codes of a second factor are counted in the person's row before they are looked at: a limit that each process keeps for
-- itself, and looks at before the code alone, is passed by guesses sent all at once.
alter table users add column code_tries double precision not null default 0, add column code_tried_at timestamptz(3);
-- >>> 20261204025000_end_the_known_demo_password
-- Everybody knew the password of the demo's login, which is an operator. It comes from the installation's secret now and is
-- not kept here: what was kept opens nothing any more, and who signed in with it is signed out.
update users set password_hash = '', session_version = session_version + 1 where demo;
-- >>> 20261204025013_share_slots
-- One store's slow receivers held all slots of the engine. A run can now be under two limits (as Inngest's functions can), of
-- which it waits for one at a time, and what waits for other systems is taken apart from our own work. Of runs that would all
-- do the same, as each look at what an engagement platform is to be sent, only one waits.

ALTER TABLE "job_runs"
  ADD COLUMN "share_key" TEXT COLLATE "C",
  ADD COLUMN "parked_in" TEXT COLLATE "C",
  ADD COLUMN "outside" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "debounce_key" TEXT COLLATE "C";
UPDATE "job_runs" SET "parked_in" = "group_key" WHERE "parked" AND "ended_at" IS NULL;
CREATE INDEX "job_runs_share_key_queued_at_idx" ON "job_runs"("share_key", "queued_at") WHERE (share_key IS NOT NULL AND ended_at IS NULL);
CREATE INDEX "job_runs_parked_in_queued_at_id_idx" ON "job_runs"("parked_in", "queued_at", "id") WHERE (parked_in IS NOT NULL);
CREATE UNIQUE INDEX "job_runs_debounce_key_idx" ON "job_runs"("debounce_key") WHERE (debounce_key IS NOT NULL AND started_at IS NULL AND ended_at IS NULL);
-- >>> 20261204025500_say_what_a_run_left_out
-- What a run left out is said with that run: the next one has its own, and its place was with the integration alone.
alter table "integration_runs" add column "warning" text;
-- >>> 20261204025600_tell_changed_reviews_anew
-- A review that was changed counts otherwise in what its contact is told: so the engagement platform hears of changes and of what
-- the API brought, too, and whether there was more than a decision.

create or replace function note_reviews_for_engagement() returns trigger language plpgsql as $$
begin
  if not exists (select from written w join integrations i on i.client_id = w.client_id and i.type = 'engagement') then
    return null;
  end if;
  insert into outbox (client_id, name, data, available_at, origin_id, clock_at)
  select w.client_id, 'engagement/review',
         jsonb_build_object('client_id', w.client_id, 'review_id', w.data -> 'review_id')
           || case when w.name = 'review/decided' then '{}' else '{"changed": true}' end::jsonb,
         w.available_at, w.origin_id, w.clock_at
    from written w
    join integrations i on i.client_id = w.client_id and i.type = 'engagement'
   where w.name in ('review/submitted', 'review/created', 'review/updated', 'review/verified', 'review/decided', 'review/deleted')
   order by w.id;
  return null;
end
$$;
-- >>> 20261204031300_show_webhook_attempts
-- A delivery that got through after refusals no longer showed them. Every try is kept with its delivery: it is purged and erased
-- with it, since an answer may repeat what was sent.

ALTER TABLE "webhook_deliveries" ADD COLUMN "attempt_log" JSONB NOT NULL DEFAULT '[]';
