import type { CustomAnswers } from "@/lib/accounts/stores/custom-answers";
import type { Db } from "@/lib/platform/db/pool";
import {
  type Inserted,
  insertSubmissions,
  type NewSubmission,
  submissionStatement,
} from "@/lib/reviews/submissions/insert-submissions";

/** A question to be stored, as columns; what the catalogue knows is added by the statement. */
export type NewQuestion = NewSubmission & {
  source: string;
  product_id: string | null;
  family_id: string | null;
  product_name: string | null;
  product_url: string | null;
  author: string;
  author_email: string | null;
  email_key: string | null;
  author_ip: string | null;
  question: string;
  details: string;
  mail_answer: boolean;
  answers: CustomAnswers;
  lang: string;
  date: string;
  terms_agreed_at: string | null;
  terms_version: string | null;
  feedback_token: string;
};

const statement = {
  name: "insert-question",
  text: submissionStatement({
    kind: "question",
    table: "questions",
    types: {
      client_id: "text",
      id: "text",
      source: "text",
      product_id: "text",
      family_id: "text",
      product_name: "text",
      product_url: "text",
      author: "text",
      author_email: "text",
      email_key: "text",
      author_ip: "text",
      question: "text",
      details: "text",
      mail_answer: "boolean",
      verification: "text",
      answers: "jsonb",
      lang: "text",
      date: "date",
      terms_agreed_at: "timestamptz",
      terms_version: "text",
      feedback_token: "text",
    },
    renamed: { answers: "answers_given" },
  }),
};

/** Stores a submitted question, as {@link insertSubmissions} does. */
export async function insertQuestion(db: Db, question: NewQuestion): Promise<Inserted> {
  const [stored] = await insertSubmissions(db, statement, [question]);
  return stored as Inserted;
}
