"use client";

import { useMutation } from "@tanstack/react-query";
import { CircleCheck, CircleX, Eye } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
import { fieldLabel } from "@/components/moderation/finding-labels";
import { MarkedText } from "@/components/moderation/marked-text";
import { reasonLabel } from "@/components/moderation/reject-reasons";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import type { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import type { tryRulesContract } from "@/lib/moderation/rules/contract";
import type { RuleTestResult } from "@/lib/moderation/rules/schema";
import { ruleLabels } from "@/lib/moderation/rules/values";
import { call, messageOf } from "@/lib/platform/http/client";
import type { MessageKey } from "@/lib/platform/i18n/translator";

type TestRun = { author: string; extract: string; opinion: RuleTestResult };

/** Tests a text with the page's rules, saved or not. */
export function RuleTestCard({ rules }: { rules: RuleSettings }) {
  const t = useTranslations();
  const client = useSearchParams().get("client_id") ?? undefined;
  const [author, setAuthor] = useState("");
  const [extract, setExtract] = useState("");
  const attempt = useMutation({
    mutationFn: async (): Promise<TestRun> => {
      const body = { author: author || undefined, extract, rules };
      const { data } = await call<typeof tryRulesContract>("POST /portal/api/v1/rules/try", {
        query: { client_id: client },
        body,
      });
      return { author, extract, opinion: data };
    },
  });
  return (
    <section aria-labelledby="trial" className="rounded-card bg-sunken p-4 sm:p-5">
      <h2 id="trial" className="font-semibold">
        {t("moderationRules.testTitle")}
      </h2>
      <p className="mb-4 text-sm text-muted">{t("moderationRules.testIntro")}</p>
      <div className="flex flex-col gap-3">
        <Field id="trial-author" label={t("common.name")} optional>
          {(wiring) => (
            <Input
              {...wiring}
              maxLength={255}
              className="max-w-xs"
              value={author}
              onChange={({ target }) => setAuthor(target.value)}
            />
          )}
        </Field>
        <Field id="trial-text" label={t("common.text")}>
          {(wiring) => (
            <TextArea
              {...wiring}
              value={extract}
              maxLength={60_000}
              onChange={({ target }) => setExtract(target.value)}
            />
          )}
        </Field>
        <div>
          <Button disabled={extract.trim() === "" || attempt.isPending} onClick={() => attempt.mutate()}>
            {attempt.isPending ? t("moderationRules.testing") : t("moderationRules.test")}
          </Button>
        </div>
      </div>
      <div role="status" className="mt-4 empty:hidden">
        {attempt.error && <p className="text-sm font-medium text-bad">{messageOf(attempt.error, t)}</p>}
        {attempt.data && !attempt.isPending && <TestResult {...attempt.data} />}
      </div>
    </section>
  );
}

const outcomes = {
  accept: { icon: CircleCheck, tone: "text-good" },
  hold: { icon: Eye, tone: "text-warn" },
  reject: { icon: CircleX, tone: "text-bad" },
} as const;

const outcomeLabels: Record<RuleTestResult["outcome"], MessageKey> = {
  accept: "moderationRules.resultPublish",
  hold: "moderationRules.resultHold",
  reject: "moderationRules.resultReject",
};

function TestResult({ author, extract, opinion }: TestRun) {
  const t = useTranslations();
  const { icon: Icon, tone } = outcomes[opinion.outcome];
  return (
    <div className="rounded-control border border-line bg-raised p-4">
      <p className={`flex items-center gap-2 font-medium ${tone}`}>
        <Icon aria-hidden="true" className="size-5 shrink-0" />
        {t(outcomeLabels[opinion.outcome])}{" "}
        {opinion.outcome === "reject" && t("moderationRules.resultReason", { reason: reasonLabel(opinion.reason, t) })}
      </p>
      <p className="mt-3 text-sm whitespace-pre-line break-words">
        {author && (
          <>
            <strong className="font-medium">
              <MarkedText text={author} field="author" findings={opinion.findings} />
            </strong>
            {": "}
          </>
        )}
        <MarkedText text={extract} field="extract" findings={opinion.findings} />
      </p>
      {opinion.findings.length > 0 && (
        <ul className="mt-3 flex flex-col gap-1 text-sm">
          {opinion.findings.map((finding) => (
            <li key={`${finding.rule} ${finding.field} ${finding.start}`}>
              <span className="font-medium">{t(ruleLabels[finding.rule])}</span>
              <span className="text-muted">
                {finding.field ? ` ${fieldLabel(finding.field, t)}` : ""}
                {finding.suggested === "reject" ? t("moderationRules.findingReject") : t("moderationRules.findingHold")}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
