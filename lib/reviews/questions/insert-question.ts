import type { Db } from "@/lib/platform/db/pool";
import {
  type InsertedSubmission,
  insertSubmissions,
  type NewSubmission,
  submissionStatement,
} from "@/lib/reviews/submissions/insert-submissions";

/** A question to store, as columns. */
export type NewQuestion = NewSubmission & { question: string; details: string; mail_answer: boolean };

const statement = {
  name: "insert-question",
  text: submissionStatement({
    kind: "question",
    table: "questions",
    types: { question: "text", details: "text", mail_answer: "boolean" },
    renamed: { answers: "answers_given" },
  }),
};

/** Stores a submitted question, as {@link insertSubmissions} does. */
export async function insertQuestion(db: Db, question: NewQuestion): Promise<InsertedSubmission> {
  const [stored] = await insertSubmissions(db, statement, [question]);
  return stored as InsertedSubmission;
}
