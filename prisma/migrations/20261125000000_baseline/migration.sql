-- Made by whole-schema.mjs from schema.prisma and sql/.

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
    "name" TEXT COLLATE "C",
    "email" TEXT COLLATE "C",
    "email_key" TEXT COLLATE "C",
    "email_proven_at" TIMESTAMPTZ(3),
    "password_hash" TEXT COLLATE "C" NOT NULL,
    "role" TEXT COLLATE "C" NOT NULL,
    "all_clients" BOOLEAN NOT NULL DEFAULT false,
    "session_version" INTEGER NOT NULL DEFAULT 1,
    "totp_secret" BYTEA,
    "totp_pending" BYTEA,
    "totp_last_step" BIGINT,
    "recovery_codes" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "code_tries" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "code_tried_at" TIMESTAMPTZ(3),
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
    "role" TEXT COLLATE "C",

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
    "session_version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "portal_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "password_links" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "password_links_pkey" PRIMARY KEY ("hash")
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
    "sealed_url" BYTEA NOT NULL DEFAULT '\x'::bytea,
    "format" TEXT COLLATE "C",
    "mapping" JSONB NOT NULL DEFAULT '{}',
    "schedule" TEXT COLLATE "C" NOT NULL,
    "etag" TEXT COLLATE "C",
    "last_modified" TEXT COLLATE "C",
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "next_run_at" TIMESTAMPTZ(3),
    "asked_at" TIMESTAMPTZ(3),
    "last_run_at" TIMESTAMPTZ(3),
    "last_outcome" TEXT COLLATE "C",
    "last_error" TEXT COLLATE "C",
    "last_read" INTEGER,
    "last_rejected" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "feeds_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "feed_uploads" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "filename" TEXT COLLATE "C" NOT NULL,
    "import_id" TEXT COLLATE "C",
    "parts" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "feed_uploads_pkey" PRIMARY KEY ("client_id","id")
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
    "id_hash" TEXT COLLATE "C" NOT NULL,
    "email_hash" TEXT COLLATE "C",
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
    "held_until" DATE,
    "asked" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_items_pkey" PRIMARY KEY ("client_id","order_id","id")
);

-- CreateTable
CREATE TABLE "item_notes" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "order_id" TEXT COLLATE "C" NOT NULL,
    "item_id" TEXT COLLATE "C" NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "action" TEXT COLLATE "C" NOT NULL,
    "until" DATE,
    "actor_kind" TEXT COLLATE "C" NOT NULL,
    "actor_id" TEXT COLLATE "C",
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "item_notes_pkey" PRIMARY KEY ("client_id","order_id","item_id","id")
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
    "by_hand" BOOLEAN NOT NULL DEFAULT false,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "bounced_at" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3),
    "clicked_at" TIMESTAMPTZ(3),
    "handed_at" TIMESTAMPTZ(3),
    "taken_at" TIMESTAMPTZ(3),
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
    "erased_until" DATE,

    CONSTRAINT "quarantines_pkey" PRIMARY KEY ("client_id","person_hash")
);

-- CreateTable
CREATE TABLE "erased_hashes" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "what" TEXT COLLATE "C" NOT NULL,
    "erased_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "erased_hashes_pkey" PRIMARY KEY ("client_id","hash")
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

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("client_id","email_hash","reason")
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
    "handed_at" TIMESTAMPTZ(3),
    "batch" TEXT COLLATE "C",
    "doubtful_since" TIMESTAMPTZ(3),
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
    "verification" TEXT COLLATE "C",
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
    "body" TEXT COLLATE "C" NOT NULL DEFAULT '',
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
    "answer_count" INTEGER NOT NULL DEFAULT 0,
    "mail_answer" BOOLEAN NOT NULL DEFAULT false,
    "verified_email" BOOLEAN NOT NULL DEFAULT false,
    "verification" TEXT COLLATE "C",
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
    "body" TEXT COLLATE "C" NOT NULL DEFAULT '',
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
    "decided_at" TIMESTAMPTZ(3),
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
CREATE TABLE "queue_looks" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "queue_looks_pkey" PRIMARY KEY ("client_id","user_id")
);

-- CreateTable
CREATE TABLE "reply_templates" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reply_templates_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "digests" (
    "user_id" TEXT COLLATE "C" NOT NULL,
    "client_id" TEXT COLLATE "C" NOT NULL,
    "every" TEXT COLLATE "C" NOT NULL,
    "hour" INTEGER NOT NULL,
    "last_day" DATE NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "digests_pkey" PRIMARY KEY ("user_id","client_id")
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
    "hidden_at" TIMESTAMPTZ(3),
    "queued_at" TIMESTAMPTZ(3),
    "accepted" BOOLEAN,
    "accepted_at" TIMESTAMPTZ(3),
    "reject_reason" TEXT COLLATE "C",
    "decided_at" TIMESTAMPTZ(3),
    "claimed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("client_id","token")
);

-- CreateTable
CREATE TABLE "submissions" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "fingerprint" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
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
    "figures_version" BIGINT NOT NULL DEFAULT 1,
    "question_count" INTEGER NOT NULL DEFAULT 0,
    "questions_version" BIGINT NOT NULL DEFAULT 1,

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
    "figures_version" BIGINT NOT NULL DEFAULT 1,
    "question_count" INTEGER NOT NULL DEFAULT 0,
    "questions_version" BIGINT NOT NULL DEFAULT 1,

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
CREATE TABLE "review_facets" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "facet" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "review_facets_pkey" PRIMARY KEY ("client_id","kind","subject_id","facet","value")
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
    "score_dist" INTEGER[] DEFAULT ARRAY[0, 0, 0, 0, 0]::INTEGER[],
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
    "position" INTEGER NOT NULL DEFAULT 0,
    "rule" TEXT COLLATE "C" NOT NULL,
    "field" TEXT COLLATE "C",
    "span_start" INTEGER NOT NULL,
    "span_end" INTEGER NOT NULL,
    "suggested" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "moderation_findings_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "moderation_prints" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "print" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "moderation_prints_pkey" PRIMARY KEY ("client_id","kind","subject_id","print")
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
CREATE TABLE "lasting_secret" (
    "one" BOOLEAN NOT NULL DEFAULT true,
    "key_id" TEXT COLLATE "C" NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lasting_secret_pkey" PRIMARY KEY ("one")
);

-- CreateTable
CREATE TABLE "deletion_requests" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "person_hash" TEXT COLLATE "C" NOT NULL,
    "sealed" BYTEA NOT NULL,
    "actor_kind" TEXT COLLATE "C" NOT NULL,
    "actor_id" TEXT COLLATE "C" NOT NULL,
    "removed" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
    "version" INTEGER NOT NULL DEFAULT 1,
    "state" JSONB NOT NULL DEFAULT '{}',
    "error" TEXT COLLATE "C",
    "last_run_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "integrations_pkey" PRIMARY KEY ("client_id","type")
);

-- CreateTable
CREATE TABLE "integration_runs" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "outcome" TEXT COLLATE "C" NOT NULL DEFAULT 'running',
    "counts" JSONB NOT NULL DEFAULT '{}',
    "error" TEXT COLLATE "C",
    "warning" TEXT COLLATE "C",

    CONSTRAINT "integration_runs_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "share_rows" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "part" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "receipt_id" TEXT COLLATE "C",
    "contact_id" TEXT COLLATE "C",
    "sku" TEXT COLLATE "C",
    "customer_id" TEXT COLLATE "C",
    "email_key" TEXT COLLATE "C",
    "imported_at" TIMESTAMPTZ(6),
    "todo" BOOLEAN NOT NULL DEFAULT false,
    "data" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "share_rows_pkey" PRIMARY KEY ("client_id","part","id")
);

-- CreateTable
CREATE TABLE "share_files" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "part" TEXT COLLATE "C" NOT NULL,
    "file_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "share_files_pkey" PRIMARY KEY ("client_id","part","file_id")
);

-- CreateTable
CREATE TABLE "partner_paces" (
    "key" TEXT COLLATE "C" NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "partner_paces_pkey" PRIMARY KEY ("key")
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
    "asked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "webhooks" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "sealed_url" BYTEA NOT NULL DEFAULT '\x'::bytea,
    "events" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "secrets" BYTEA NOT NULL,
    "paused_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT COLLATE "C",
    "failing_since" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3),
    "last_sent_at" TIMESTAMPTZ(3),
    "last_error" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "webhook_id" TEXT COLLATE "C" NOT NULL,
    "message_id" TEXT COLLATE "C" NOT NULL DEFAULT ('msg_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
    "event" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "data" JSONB NOT NULL,
    "happened_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "tried_at" TIMESTAMPTZ(3),
    "status" INTEGER,
    "error" TEXT COLLATE "C",
    "attempt_log" JSONB NOT NULL DEFAULT '[]',
    "fact_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("client_id","id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "scope" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "client_id" TEXT COLLATE "C",
    "body_hash" TEXT COLLATE "C" NOT NULL,
    "status" INTEGER NOT NULL,
    "headers" JSONB NOT NULL DEFAULT '{}',
    "answer" TEXT COLLATE "C",
    "people" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
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
    "taken_until" TIMESTAMPTZ(3),
    "origin_id" TEXT COLLATE "C",
    "clock_at" TIMESTAMPTZ(3),

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
    "origin_id" TEXT COLLATE "C",
    "group_key" TEXT COLLATE "C",
    "share_key" TEXT COLLATE "C",
    "parked" BOOLEAN NOT NULL DEFAULT false,
    "parked_in" TEXT COLLATE "C",
    "outside" BOOLEAN NOT NULL DEFAULT false,
    "debounce_key" TEXT COLLATE "C",
    "held_by" INTEGER,
    "lease" INTEGER NOT NULL DEFAULT 0,
    "recoveries" INTEGER NOT NULL DEFAULT 0,
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
CREATE TABLE "job_failures" (
    "id" BIGSERIAL NOT NULL,
    "job" TEXT COLLATE "C" NOT NULL,
    "client_id" TEXT COLLATE "C",
    "part" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "run_id" TEXT COLLATE "C" NOT NULL,
    "failed_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "job_failures_pkey" PRIMARY KEY ("id")
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
CREATE INDEX "users_email_key_idx" ON "users"("email_key") WHERE (email_key IS NOT NULL);

-- CreateIndex
CREATE INDEX "user_clients_client_id_idx" ON "user_clients"("client_id");

-- CreateIndex
CREATE INDEX "portal_sessions_user_id_idx" ON "portal_sessions"("user_id");

-- CreateIndex
CREATE INDEX "password_links_user_id_idx" ON "password_links"("user_id");

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
CREATE INDEX "feeds_due_idx" ON "feeds"("next_run_at") WHERE (enabled);

-- CreateIndex
CREATE INDEX "feed_uploads_created_at_idx" ON "feed_uploads"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "feed_uploads_client_id_import_id_key" ON "feed_uploads"("client_id", "import_id");

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
CREATE INDEX "order_items_unasked_idx" ON "order_items"("client_id", "delivery_date", "order_id", "id") WHERE (reviewable AND delivery_date IS NOT NULL AND NOT asked);

-- CreateIndex
CREATE INDEX "order_items_unknown_idx" ON "order_items"("client_id", "delivery_date", "order_id", "id") WHERE (NOT reviewable AND reviewable_set IS DISTINCT FROM false AND delivery_date IS NOT NULL AND NOT asked);

-- CreateIndex
CREATE INDEX "order_items_client_id_id_created_at_order_id_idx" ON "order_items"("client_id", "id", "created_at", "order_id");

-- CreateIndex
CREATE INDEX "invitations_client_id_created_at_id_idx" ON "invitations"("client_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "invitations_client_id_day_idx" ON "invitations"("client_id", "day");

-- CreateIndex
CREATE INDEX "invitations_client_id_email_key_idx" ON "invitations"("client_id", "email_key");

-- CreateIndex
CREATE INDEX "invitations_client_id_customer_id_idx" ON "invitations"("client_id", "customer_id");

-- CreateIndex
CREATE INDEX "invitations_client_id_mail_id_idx" ON "invitations"("client_id", "mail_id");

-- CreateIndex
CREATE INDEX "invitations_client_id_claimed_at_idx" ON "invitations"("client_id", "claimed_at") WHERE (status = 'claimed');

-- CreateIndex
CREATE UNIQUE INDEX "invitations_client_id_reminder_of_key" ON "invitations"("client_id", "reminder_of");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_items_client_id_order_id_item_id_key" ON "invitation_items"("client_id", "order_id", "item_id");

-- CreateIndex
CREATE INDEX "quarantines_erased_until_idx" ON "quarantines"("erased_until") WHERE (erased_until IS NOT NULL);

-- CreateIndex
CREATE INDEX "erased_hashes_people_idx" ON "erased_hashes"("client_id", "erased_at") WHERE (what = ANY (ARRAY['customer'::text, 'email'::text, 'address'::text]));

-- CreateIndex
CREATE UNIQUE INDEX "mails_idempotency_key_key" ON "mails"("idempotency_key");

-- CreateIndex
CREATE INDEX "mails_created_at_id_idx" ON "mails"("created_at", "id");

-- CreateIndex
CREATE INDEX "mails_to_key_created_at_id_idx" ON "mails"("to_key", "created_at", "id");

-- CreateIndex
CREATE INDEX "mails_client_id_created_at_idx" ON "mails"("client_id", "created_at");

-- CreateIndex
CREATE INDEX "mails_kept_idx" ON "mails"("created_at", "id") WHERE (status = 'kept');

-- CreateIndex
CREATE INDEX "mails_failed_idx" ON "mails"("client_id", "created_at", "id") WHERE (status = 'failed');

-- CreateIndex
CREATE INDEX "mails_provider_id_idx" ON "mails"("provider_id");

-- CreateIndex
CREATE INDEX "mails_batch_idx" ON "mails"("batch") WHERE (batch IS NOT NULL);

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
CREATE INDEX "reviews_unverified_idx" ON "reviews"("client_id", "created_at", "id") WHERE (verification IS NOT NULL AND accepted IS NULL);

-- CreateIndex
CREATE INDEX "reviews_reported_idx" ON "reviews"("client_id", "created_at", "id") WHERE (flag_count > 0);

-- CreateIndex
CREATE INDEX "reviews_rejected_created_idx" ON "reviews"("client_id", "created_at", "id") WHERE (accepted = false);

-- CreateIndex
CREATE INDEX "reviews_rejected_updated_idx" ON "reviews"("client_id", "updated_at", "id") WHERE (accepted = false);

-- CreateIndex
CREATE INDEX "reviews_product_shown_idx" ON "reviews"("client_id", "product_id", "date", "created_at", "id") WHERE (accepted);

-- CreateIndex
CREATE INDEX "reviews_family_shown_idx" ON "reviews"("client_id", "family_id", "date", "created_at", "id") WHERE (accepted);

-- CreateIndex
CREATE INDEX "reviews_product_scored_idx" ON "reviews"("client_id", "product_id", "score", "date", "created_at", "id") WHERE (accepted);

-- CreateIndex
CREATE INDEX "reviews_family_scored_idx" ON "reviews"("client_id", "family_id", "score", "date", "created_at", "id") WHERE (accepted);

-- CreateIndex
CREATE INDEX "reviews_product_photos_idx" ON "reviews"("client_id", "product_id", "date", "created_at", "id") WHERE (accepted AND (images <> '[]'::jsonb));

-- CreateIndex
CREATE INDEX "reviews_family_photos_idx" ON "reviews"("client_id", "family_id", "date", "created_at", "id") WHERE (accepted AND (images <> '[]'::jsonb));

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
CREATE INDEX "seller_reviews_rejected_created_idx" ON "seller_reviews"("client_id", "created_at", "id") WHERE (accepted = false);

-- CreateIndex
CREATE INDEX "seller_reviews_client_id_order_id_idx" ON "seller_reviews"("client_id", "order_id") WHERE (order_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "seller_reviews_shown_idx" ON "seller_reviews"("client_id", "date", "created_at", "id") WHERE (accepted);

-- CreateIndex
CREATE INDEX "seller_reviews_scored_idx" ON "seller_reviews"("client_id", "score", "date", "created_at", "id") WHERE (accepted);

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
CREATE INDEX "questions_unanswered_idx" ON "questions"("client_id", "created_at", "id") WHERE (accepted AND answer_count = 0);

-- CreateIndex
CREATE INDEX "questions_unverified_idx" ON "questions"("client_id", "created_at", "id") WHERE (verification IS NOT NULL AND accepted IS NULL);

-- CreateIndex
CREATE INDEX "questions_pending_updated_idx" ON "questions"("client_id", "updated_at", "id") WHERE (accepted IS NULL);

-- CreateIndex
CREATE INDEX "questions_rejected_created_idx" ON "questions"("client_id", "created_at", "id") WHERE (accepted = false);

-- CreateIndex
CREATE INDEX "questions_rejected_updated_idx" ON "questions"("client_id", "updated_at", "id") WHERE (accepted = false);

-- CreateIndex
CREATE INDEX "questions_product_shown_idx" ON "questions"("client_id", "product_id", "date", "created_at", "id") WHERE (accepted AND (answer_count > 0));

-- CreateIndex
CREATE INDEX "questions_family_shown_idx" ON "questions"("client_id", "family_id", "date", "created_at", "id") WHERE (accepted AND (answer_count > 0));

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
CREATE INDEX "answers_client_id_created_at_id_idx" ON "answers"("client_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "answers_pending_idx" ON "answers"("client_id", "created_at", "id") WHERE (accepted IS NULL);

-- CreateIndex
CREATE INDEX "responses_client_id_kind_subject_id_created_at_idx" ON "responses"("client_id", "kind", "subject_id", "created_at");

-- CreateIndex
CREATE INDEX "queue_looks_client_id_subject_id_idx" ON "queue_looks"("client_id", "subject_id");

-- CreateIndex
CREATE UNIQUE INDEX "reply_templates_client_id_name_key" ON "reply_templates"("client_id", "name");

-- CreateIndex
CREATE INDEX "digests_client_id_idx" ON "digests"("client_id");

-- CreateIndex
CREATE INDEX "flags_client_id_review_id_idx" ON "flags"("client_id", "review_id");

-- CreateIndex
CREATE INDEX "flags_client_id_created_at_id_idx" ON "flags"("client_id", "created_at", "id") WHERE (resolved_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "uploads_key_key" ON "uploads"("key");

-- CreateIndex
CREATE INDEX "uploads_client_id_subject_kind_subject_id_idx" ON "uploads"("client_id", "subject_kind", "subject_id");

-- CreateIndex
CREATE INDEX "uploads_token_idx" ON "uploads"("token");

-- CreateIndex
CREATE INDEX "uploads_created_at_idx" ON "uploads"("created_at") WHERE (claimed_at IS NULL);

-- CreateIndex
CREATE INDEX "uploads_waiting_idx" ON "uploads"("client_id", "queued_at", "token") WHERE ((queued_at IS NOT NULL) AND (accepted IS NULL));

-- CreateIndex
CREATE INDEX "uploads_decided_idx" ON "uploads"("client_id", "accepted", "queued_at", "token") WHERE (queued_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "uploads_queued_idx" ON "uploads"("client_id", "queued_at", "token") WHERE (queued_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "submissions_created_at_idx" ON "submissions"("created_at");

-- CreateIndex
CREATE INDEX "moderation_events_client_id_kind_subject_id_id_idx" ON "moderation_events"("client_id", "kind", "subject_id", "id");

-- CreateIndex
CREATE INDEX "moderation_findings_client_id_kind_subject_id_idx" ON "moderation_findings"("client_id", "kind", "subject_id");

-- CreateIndex
CREATE INDEX "moderation_prints_client_id_print_created_at_subject_id_idx" ON "moderation_prints"("client_id", "print", "created_at", "subject_id");

-- CreateIndex
CREATE INDEX "moderation_prints_expires_at_idx" ON "moderation_prints"("expires_at") WHERE (expires_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "action_links_client_id_email_key_created_at_idx" ON "action_links"("client_id", "email_key", "created_at");

-- CreateIndex
CREATE INDEX "action_links_client_id_kind_subject_id_idx" ON "action_links"("client_id", "kind", "subject_id");

-- CreateIndex
CREATE INDEX "deletion_requests_touched_at_idx" ON "deletion_requests"("touched_at");

-- CreateIndex
CREATE UNIQUE INDEX "deletion_requests_client_id_person_hash_key" ON "deletion_requests"("client_id", "person_hash");

-- CreateIndex
CREATE INDEX "audit_entries_client_id_at_id_idx" ON "audit_entries"("client_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_account_id_at_id_idx" ON "audit_entries"("account_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_account_idx" ON "audit_entries"("account_id", "at", "id") WHERE (client_id IS NULL);

-- CreateIndex
CREATE INDEX "audit_entries_personal_data_idx" ON "audit_entries"("client_id", "at", "id") WHERE (action ~~ 'personal_data.%'::text);

-- CreateIndex
CREATE INDEX "integration_runs_client_id_type_started_at_id_idx" ON "integration_runs"("client_id", "type", "started_at", "id");

-- CreateIndex
CREATE INDEX "share_rows_client_id_contact_id_part_sku_idx" ON "share_rows"("client_id", "contact_id", "part", "sku") WHERE (contact_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "share_rows_client_id_receipt_id_idx" ON "share_rows"("client_id", "receipt_id") WHERE (receipt_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "share_rows_client_id_customer_id_idx" ON "share_rows"("client_id", "customer_id") WHERE (customer_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "share_rows_client_id_email_key_idx" ON "share_rows"("client_id", "email_key") WHERE (email_key IS NOT NULL);

-- CreateIndex
CREATE INDEX "share_rows_todo_idx" ON "share_rows"("client_id", "id") WHERE (todo);

-- CreateIndex
CREATE INDEX "partner_paces_next_at_idx" ON "partner_paces"("next_at");

-- CreateIndex
CREATE INDEX "deliveries_client_id_type_created_at_id_idx" ON "deliveries"("client_id", "type", "created_at", "id");

-- CreateIndex
CREATE INDEX "deliveries_outcome_idx" ON "deliveries"("client_id", "type", "outcome", "created_at", "id");

-- CreateIndex
CREATE INDEX "deliveries_failed_idx" ON "deliveries"("client_id", "created_at", "id") WHERE (outcome = 'failed');

-- CreateIndex
CREATE INDEX "deliveries_client_id_subject_idx" ON "deliveries"("client_id", "subject");

-- CreateIndex
CREATE INDEX "deliveries_client_id_remote_id_idx" ON "deliveries"("client_id", "remote_id") WHERE (remote_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "deliveries_due_at_idx" ON "deliveries"("due_at") WHERE (outcome = 'pending');

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_client_id_type_target_id_kind_subject_key" ON "deliveries"("client_id", "type", "target_id", "kind", "subject");

-- CreateIndex
CREATE INDEX "webhook_deliveries_client_id_webhook_id_id_idx" ON "webhook_deliveries"("client_id", "webhook_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_state_idx" ON "webhook_deliveries"("client_id", "webhook_id", "state", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_client_id_subject_idx" ON "webhook_deliveries"("client_id", "subject");

-- CreateIndex
CREATE INDEX "webhook_deliveries_waiting_idx" ON "webhook_deliveries"("client_id", "webhook_id", "subject", "id") WHERE (state = 'pending'::text);

-- CreateIndex
CREATE INDEX "webhook_deliveries_handed_idx" ON "webhook_deliveries"("client_id", "webhook_id", "subject") WHERE ((state = 'pending'::text) AND (event = 'invitation.handed'::text));

-- CreateIndex
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("due_at") WHERE (state = 'pending'::text);

-- CreateIndex
CREATE INDEX "webhook_deliveries_fact_id_idx" ON "webhook_deliveries"("fact_id") WHERE (state = 'pending'::text);

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries"("created_at");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE INDEX "idempotency_keys_client_id_idx" ON "idempotency_keys"("client_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_people_idx" ON "idempotency_keys" USING GIN ("people");

-- CreateIndex
CREATE INDEX "outbox_available_at_id_idx" ON "outbox"("available_at", "id") WHERE (relayed_at IS NULL);

-- CreateIndex
CREATE INDEX "outbox_origin_id_idx" ON "outbox"("origin_id") WHERE (relayed_at IS NULL AND origin_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "outbox_relayed_at_idx" ON "outbox"("relayed_at") WHERE (relayed_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "outbox_data_idx" ON "outbox" USING GIN ("data" jsonb_path_ops) WHERE (relayed_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "job_runs_queued_at_id_idx" ON "job_runs"("queued_at", "id");

-- CreateIndex
CREATE INDEX "job_runs_function_id_queued_at_idx" ON "job_runs"("function_id", "queued_at");

-- CreateIndex
CREATE INDEX "job_runs_failed_idx" ON "job_runs"("queued_at", "id") WHERE (status = 'failed');

-- CreateIndex
CREATE INDEX "job_runs_ended_at_idx" ON "job_runs"("ended_at") WHERE (ended_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "job_runs_origin_id_idx" ON "job_runs"("origin_id") WHERE (origin_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "job_runs_held_by_idx" ON "job_runs"("held_by") WHERE (status = 'running');

-- CreateIndex
CREATE INDEX "job_runs_group_key_queued_at_idx" ON "job_runs"("group_key", "queued_at") WHERE (group_key IS NOT NULL AND ended_at IS NULL);

-- CreateIndex
CREATE INDEX "job_runs_share_key_queued_at_idx" ON "job_runs"("share_key", "queued_at") WHERE (share_key IS NOT NULL AND ended_at IS NULL);

-- CreateIndex
CREATE INDEX "job_runs_parked_in_queued_at_id_idx" ON "job_runs"("parked_in", "queued_at", "id") WHERE (parked_in IS NOT NULL);

-- CreateIndex
CREATE INDEX "job_runs_function_id_open_idx" ON "job_runs"("function_id", "id") WHERE (ended_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "job_runs_function_id_event_id_key" ON "job_runs"("function_id", "event_id");

-- CreateIndex
CREATE UNIQUE INDEX "job_runs_debounce_key_idx" ON "job_runs"("debounce_key") WHERE (debounce_key IS NOT NULL AND started_at IS NULL AND ended_at IS NULL);

-- CreateIndex
CREATE INDEX "job_steps_wait_for_idx" ON "job_steps"("wait_for") WHERE (status = 'waiting');

-- CreateIndex
CREATE INDEX "job_failures_client_id_idx" ON "job_failures"("client_id");

-- CreateIndex
CREATE UNIQUE INDEX "job_failures_job_client_id_part_key" ON "job_failures"("job", "client_id", "part");

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
ALTER TABLE "password_links" ADD CONSTRAINT "password_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "feed_uploads" ADD CONSTRAINT "feed_uploads_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feed_imports" ADD CONSTRAINT "feed_imports_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer_emails" ADD CONSTRAINT "customer_emails_client_id_customer_id_fkey" FOREIGN KEY ("client_id", "customer_id") REFERENCES "customers"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_client_id_customer_id_fkey" FOREIGN KEY ("client_id", "customer_id") REFERENCES "customers"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_client_id_order_id_fkey" FOREIGN KEY ("client_id", "order_id") REFERENCES "orders"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "item_notes" ADD CONSTRAINT "item_notes_client_id_order_id_item_id_fkey" FOREIGN KEY ("client_id", "order_id", "item_id") REFERENCES "order_items"("client_id", "order_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation_items" ADD CONSTRAINT "invitation_items_client_id_invitation_id_fkey" FOREIGN KEY ("client_id", "invitation_id") REFERENCES "invitations"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quarantines" ADD CONSTRAINT "quarantines_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "erased_hashes" ADD CONSTRAINT "erased_hashes_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "send_days" ADD CONSTRAINT "send_days_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "seller_reviews" ADD CONSTRAINT "seller_reviews_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "questions" ADD CONSTRAINT "questions_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "answers" ADD CONSTRAINT "answers_client_id_question_id_fkey" FOREIGN KEY ("client_id", "question_id") REFERENCES "questions"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "queue_looks" ADD CONSTRAINT "queue_looks_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "queue_looks" ADD CONSTRAINT "queue_looks_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reply_templates" ADD CONSTRAINT "reply_templates_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "digests" ADD CONSTRAINT "digests_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "digests" ADD CONSTRAINT "digests_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "votes" ADD CONSTRAINT "votes_client_id_review_id_fkey" FOREIGN KEY ("client_id", "review_id") REFERENCES "reviews"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "flags" ADD CONSTRAINT "flags_client_id_review_id_fkey" FOREIGN KEY ("client_id", "review_id") REFERENCES "reviews"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "product_summaries" ADD CONSTRAINT "product_summaries_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "family_summaries" ADD CONSTRAINT "family_summaries_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "seller_summaries" ADD CONSTRAINT "seller_summaries_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review_facets" ADD CONSTRAINT "review_facets_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "external_totals" ADD CONSTRAINT "external_totals_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "moderation_findings" ADD CONSTRAINT "moderation_findings_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "moderation_prints" ADD CONSTRAINT "moderation_prints_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "action_links" ADD CONSTRAINT "action_links_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deletion_requests" ADD CONSTRAINT "deletion_requests_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integration_runs" ADD CONSTRAINT "integration_runs_client_id_type_fkey" FOREIGN KEY ("client_id", "type") REFERENCES "integrations"("client_id", "type") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "share_rows" ADD CONSTRAINT "share_rows_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "share_files" ADD CONSTRAINT "share_files_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_client_id_webhook_id_fkey" FOREIGN KEY ("client_id", "webhook_id") REFERENCES "webhooks"("client_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_steps" ADD CONSTRAINT "job_steps_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "job_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_failures" ADD CONSTRAINT "job_failures_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- 01_columns.sql

-- What Prisma's schema cannot say of a table or a column.

-- Room on the page for the next version of a row that is updated often: such an update touches no index.
alter table product_summaries set (fillfactor = 50);
alter table family_summaries set (fillfactor = 50);
alter table seller_summaries set (fillfactor = 50);
alter table review_facets set (fillfactor = 50);
alter table reviews set (fillfactor = 85);

-- All other text compares in byte order. Nobody sorts or looks up by these.
alter table integration_runs alter column error type text collate "default";
alter table integration_runs alter column warning type text collate "default";
alter table lasting_secret alter column key_id type text collate "default";
alter table uploads alter column reject_reason type text collate "default";
alter table webhook_deliveries alter column error type text collate "default";
alter table webhooks alter column last_error type text collate "default";

-- Prisma takes an empty list for no list at all.
alter table idempotency_keys alter column people set not null;
alter table users
  alter column recovery_codes type text[] collate "default",
  alter column recovery_codes set default '{}',
  alter column recovery_codes set not null;

-- Ids that nobody can give by accident.
alter table item_notes alter column id drop default;
drop sequence item_notes_id_seq;
alter table item_notes alter column id add generated always as identity;
alter table job_failures alter column id drop default;
drop sequence job_failures_id_seq;
alter table job_failures alter column id add generated always as identity;
alter table webhook_deliveries alter column id drop default;
drop sequence webhook_deliveries_id_seq;
alter table webhook_deliveries alter column id add generated always as identity;

-- 02_checks.sql

-- Rules that hold for every row.
alter table answers
  add constraint answers_reason_check check (reject_reason is null or accepted = false),
  add constraint answers_accepted_at_check check ((accepted_at is not null) = (accepted is true));
alter table clients add constraint clients_limits_check check (
  send_emails_after_days >= 0 and send_emails_before_days >= send_emails_after_days and send_limit >= 0
  and (contract_send_limit is null or send_limit <= contract_send_limit)
  and (quarantine_period is null or quarantine_period >= 0));
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
alter table item_notes add constraint item_notes_action_check check (action in ('held', 'released', 'sent'));
alter table lasting_secret
  add constraint lasting_secret_one_check check (one),
  add constraint lasting_secret_key_id_check check (key_id ~ '^[0-9a-f]{8}$');
alter table moderation_findings
  add constraint moderation_findings_span_check check (span_start between 0 and span_end),
  add constraint moderation_findings_suggested_check check (suggested in ('hold', 'reject'));
alter table password_links add constraint password_links_kind_check check (kind in ('invitation', 'reset'));
alter table product_summaries add constraint product_summaries_count_check check (count = c1 + c2 + c3 + c4 + c5);
alter table family_summaries add constraint family_summaries_count_check check (count = c1 + c2 + c3 + c4 + c5);
alter table seller_summaries add constraint seller_summaries_count_check check (count = c1 + c2 + c3 + c4 + c5);
alter table questions
  add constraint questions_reason_check check (reject_reason is null or accepted = false),
  add constraint questions_accepted_at_check check ((accepted_at is not null) = (accepted is true)),
  add constraint questions_verification_check check (verification in ('due', 'mailed'));
alter table review_facets add constraint review_facets_kind_check check (kind in ('product', 'family'));
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

-- 03_indexes.sql

-- What Prisma's schema cannot say of an index.

-- What is displayed, most helpful first, of a product and of a family.
create index reviews_product_helpful_idx on reviews (client_id, product_id, (votes_up - votes_down), date, created_at, id)
  where accepted;
create index reviews_family_helpful_idx on reviews (client_id, family_id, (votes_up - votes_down), date, created_at, id)
  where accepted;

-- An erasure finds the runs and facts that a row started. Without fastupdate, so that no reader searches a pending list.
create index job_runs_data_idx on job_runs using gin ((event -> 'data') jsonb_path_ops) with (fastupdate = off);
alter index outbox_data_idx set (fastupdate = off);

-- Whether a webhook has a run coming already.
create index outbox_webhook_due_idx on outbox ((data ->> 'webhook_id')) where relayed_at is null and name = 'webhook/due';

-- A job of the whole installation has no client, and fails once all the same.
drop index job_failures_job_client_id_part_key;
alter table job_failures add constraint job_failures_job_client_id_part_key unique nulls not distinct (job, client_id, part);

-- 04_public_json.sql

-- The public JSON of reviews, seller reviews and questions: written once, when the row changes, and passed through by lists.
-- Without images (their addresses may be signed), portal_url (it names the server) and the closing brace: the reader
-- appends those.

-- Stable, not immutable, as to_char and to_json are: a function that promises more than what it calls is not inlined, and
-- runs as a query of its own.
create function json_time(t timestamptz) returns text language sql stable parallel safe as
$$ select coalesce('"' || to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '"', 'null') $$;

create function json_text(t text) returns text language sql stable parallel safe as
$$ select coalesce(to_json(t)::text, 'null') $$;

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

-- Accepted answers only: readers cannot tell the state of one.
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

-- The row is locked when this runs, so of two answers at once the second sees the first.
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

-- 05_replies_and_answers.sql

-- Replies and answers are part of what readers of their review or question see.

create function keep_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := old.updated_at;
  if to_jsonb(new) - 'flag_count' is distinct from to_jsonb(old) - 'flag_count' then
    new.updated_at := greatest(clock_timestamp(), old.updated_at);
  end if;
  return new;
end $$;
create trigger answers_keep_updated_at before update on answers for each row execute function keep_updated_at();
create trigger responses_keep_updated_at before update on responses for each row execute function keep_updated_at();

create function touch_question() returns trigger language plpgsql as $$
begin
  update questions set answers_version = answers_version + 1
   where client_id = coalesce(new.client_id, old.client_id) and id = coalesce(new.question_id, old.question_id);
  return null;
end $$;
create trigger answers_touch_question after insert or update or delete on answers for each row execute function touch_question();

-- Every change of an answer updates its question, which is locked when this runs: of two answers at once the second counts
-- the first.
create function count_answers() returns trigger language plpgsql as $$
begin
  new.answer_count := (select count(*) from answers a
    where a.client_id = new.client_id and a.question_id = new.id and a.accepted);
  return new;
end $$;
create trigger questions_count_answers before insert or update on questions
  for each row execute function count_answers();

-- Of two replies at once the second waits and lists both. An imported review is stored with the replies it shows, so it is
-- not written again where it shows them already.
create function keep_responses() returns trigger language plpgsql as $$
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
create trigger responses_keep after insert or update or delete on responses for each row execute function keep_responses();

-- 06_review_summaries.sql

-- Counters of accepted reviews per product and family, and the facets of those reviews. The triggers run once a statement
-- with all its rows. Rows that left and rows that came, as one list of signed changes, are summed per key and added in key
-- order, so that two statements at once lock the counters in the same order. No check that counts stay positive: it would
-- see the signed row proposed for insertion before its conflict; `summaries verify` recounts instead. `version` moves with
-- everything that is displayed, `figures_version` only with what a summary is computed from.

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

-- What accepted reviews have in common. Answers longer than 64 characters are no choice of a list.
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

create function count_new_reviews() returns trigger language plpgsql as $$
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
create trigger reviews_count_new after insert on reviews referencing new table as came
  for each statement execute function count_new_reviews();

-- Old and new row are put side by side once. A vote or a reply moves no figure and ends there.
create type review_pair as (
  client_id text, was boolean, "is" boolean, old_product text, new_product text, old_family text, new_family text,
  old_score int, new_score int, figures boolean, facets boolean,
  old_lang text, new_lang text, old_images jsonb, new_images jsonb, old_verified boolean, new_verified boolean,
  old_answers jsonb, new_answers jsonb);

create function count_changed_reviews() returns trigger language plpgsql as $$
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
create trigger reviews_count_changed after update on reviews referencing old table as gone new table as came
  for each statement execute function count_changed_reviews();

create function count_gone_reviews() returns trigger language plpgsql as $$
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
create trigger reviews_count_gone after delete on reviews referencing old table as gone
  for each statement execute function count_gone_reviews();

-- 07_seller_summaries.sql

-- Counters of accepted reviews of the seller, in the same way.

create type review_change as (client_id text, product_id text, family_id text, score int, sign int);

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
create trigger seller_reviews_count_new after insert on seller_reviews referencing new table as came
  for each statement execute function count_new_seller_reviews();

create function count_changed_seller_reviews() returns trigger language plpgsql as $$
begin
  perform add_seller_changes(array(
    select (client_id, null, null, score, -1)::review_change from gone where accepted
    union all select (client_id, null, null, score, 1)::review_change from came where accepted));
  return null;
end $$;
create trigger seller_reviews_count_changed after update on seller_reviews referencing old table as gone new table as came
  for each statement execute function count_changed_seller_reviews();

create function count_gone_seller_reviews() returns trigger language plpgsql as $$
begin
  perform add_seller_changes(array(
    select (g.client_id, null, null, g.score, -1)::review_change from gone g join clients c on c.id = g.client_id where g.accepted));
  return null;
end $$;
create trigger seller_reviews_count_gone after delete on seller_reviews referencing old table as gone
  for each statement execute function count_gone_seller_reviews();

-- 08_question_summaries.sql

-- Counters of published questions with an answer, in the same way: products first, then families.

create type question_change as (client_id text, product_id text, family_id text, sign int);

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
create trigger questions_count_new after insert on questions referencing new table as came
  for each statement execute function count_new_questions();

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
create trigger questions_count_changed after update on questions referencing old table as gone new table as came
  for each statement execute function count_changed_questions();

create function count_gone_questions() returns trigger language plpgsql as $$
begin
  perform add_question_changes(array(
    select (g.client_id, g.product_id, g.family_id, -1)::question_change
      from gone g join clients c on c.id = g.client_id where g.accepted and g.answer_count > 0));
  return null;
end $$;
create trigger questions_count_gone after delete on questions referencing old table as gone
  for each statement execute function count_gone_questions();

-- 09_external_totals.sql

-- What an external total adds to a sum of scores on the 0 to 10 scale: the mean of its distribution times its count. Step i
-- of five counts 2 × i, as i stars of an own review do. Null where no score is known: such reviews are counted, not weighed.
create function external_points(count int, dist int[]) returns double precision language sql immutable parallel safe as $$
  select count::double precision * (2 * dist[1]::bigint + 4 * dist[2]::bigint + 6 * dist[3]::bigint + 8 * dist[4]::bigint + 10 * dist[5]::bigint)
    / nullif(dist[1]::bigint + dist[2] + dist[3] + dist[4] + dist[5], 0)
$$;

-- Anything a client displays may change with its external totals. Imports are rare, so all its displays are made anew.
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

-- 10_moderation.sql

-- Findings go when the words or images they are about change; findings and prints go with their item.

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

-- The history is append-only. Only an erasure (which says so for its transaction) may wipe texts or delete rows.
create function refuse_history_change() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('candor.erasing', true), '') = 'on' then return coalesce(new, old); end if;
  raise exception 'moderation_events is append-only';
end $$;
create trigger moderation_events_append_only before update or delete on moderation_events
  for each row execute function refuse_history_change();

-- Photos as the queue knows items: under an id, since when they wait, with the columns of a decision.
create view photos as
  select client_id, token as id, queued_at as created_at, accepted, accepted_at, reject_reason, decided_at,
         subject_kind, subject_id, key, format, width, height, sizes
    from uploads where queued_at is not null;

-- 11_clients.sql

-- Reviews and customers are written in batches, many rows of one client. A foreign key would ask for the client row by row
-- and lock it; two batches at once then share that lock, which costs PostgreSQL more than the asking. So each statement asks
-- once for all its rows, under an advisory lock that only the deletion of the client waits for. An order is vouched for by
-- its customer.

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

create function take_along_unvouched() returns trigger language plpgsql as $$
begin
  delete from reviews where client_id = old.id;
  delete from customers where client_id = old.id;
  delete from moderation_events where client_id = old.id;
  delete from submissions where client_id = old.id;
  return null;
end $$;
create trigger clients_take_along_unvouched after delete on clients
  for each row execute function take_along_unvouched();

create function keep_client_id() returns trigger language plpgsql as $$
begin
  raise exception 'the id of a client does not change' using errcode = 'restrict_violation';
end $$;
create trigger clients_keep_id before update of id on clients for each row when (old.id is distinct from new.id)
  execute function keep_client_id();

-- 12_orders.sql

-- The planner walks over items that were not asked for yet. Rows in the order of their keys, as whoever else writes several
-- items has them.
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

-- Personal data is found by former addresses, too. The present one is in customers.email_key, so a new customer needs no row.
create function note_former_address() returns trigger language plpgsql as $$
begin
  insert into customer_emails (client_id, customer_id, email_key) values (old.client_id, old.id, old.email_key)
    on conflict do nothing;
  return null;
end $$;
create trigger customers_note_former_address after update of email_key on customers for each row
  when (old.email_key is not null and old.email_key is distinct from new.email_key)
  execute function note_former_address();

-- 13_caches.sql

-- News for the caches of every process: the kind of row and its id; whoever holds a copy of it drops that.

create function raise_client_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.updated_at := greatest(clock_timestamp(), old.updated_at);
  return new;
end $$;
create trigger clients_raise_version before update on clients for each row execute function raise_client_version();

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
create trigger portal_sessions_tell_caches after update of ended_at, session_version or delete on portal_sessions
  for each row execute function tell_caches('user', 'user_id');
create trigger api_keys_tell_caches after insert or update of revoked_at, scopes or delete on api_keys
  for each row execute function tell_caches('key', 'id');
create trigger api_key_clients_tell_caches after insert or update or delete on api_key_clients
  for each row execute function tell_caches('key', 'key_id');

-- 14_outbox.sql

-- Facts that follow from a fact in the outbox: webhook deliveries and notes for the engagement platform.

create function webhook_event(name text, data jsonb) returns text language sql immutable parallel safe as $$
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
   where not exists (select from outbox o where o.relayed_at is null and o.taken_until is null and o.name = 'webhook/due'
                        and o.data ->> 'webhook_id' = d.webhook_id and o.available_at <= d.due_at)
   group by client_id, webhook_id;
  return null;
end
$$;
create trigger outbox_tell_webhooks after insert on outbox
  referencing new table as told for each statement execute function tell_webhooks();

-- Rows are locked in the order in which everybody does: the webhook first, so that one which is just being removed is waited
-- for before anything of it is held, then what it was to be told, by key.
create function take_back_webhooks() returns trigger language plpgsql as $$
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
create trigger outbox_take_back_webhooks after delete on outbox
  referencing old table as gone for each statement execute function take_back_webhooks();

create function note_reviews_for_engagement() returns trigger language plpgsql as $$
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
create trigger outbox_note_reviews_for_engagement after insert on outbox
  referencing new table as written for each statement execute function note_reviews_for_engagement();
