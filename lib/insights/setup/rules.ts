import type { SenderCheck, SenderRecord, SetupStep } from "./schema";
import { type SetupStepName, setupSteps, skippableSteps } from "./values";

// Pure decisions about the first steps.

export const MAX_SHOWN_RECORD = 500;

/** All steps in order, done or skipped. */
export const stepsOf = (done: Record<SetupStepName, boolean>, skipped: readonly string[]): SetupStep[] =>
  setupSteps.map((name) => ({
    name,
    done: done[name],
    skipped: !done[name] && skippableSteps.some((step) => step === name) && skipped.includes(name),
  }));

export const isFinished = ({ done, skipped }: SetupStep): boolean => done || skipped;

/** How an email service authenticates its emails, as far as that is the same for all of its customers. */
export type MailService = {
  /** where its SPF record belongs, and what it contains */
  spf: { prefix: string; include: string } | null;
  /** selectors of its DKIM keys; empty if each customer has others */
  selectors: readonly string[];
};

const ANY_SERVICE: MailService = { spf: null, selectors: [] };
/** Sends with a subdomain as return path, whose SPF record counts. */
const RESEND: MailService = { spf: { prefix: "send.", include: "amazonses.com" }, selectors: ["resend"] };

const services: [host: RegExp, service: MailService][] = [
  [/(^|\.)resend\.com$/, RESEND],
  [/(^|\.)(gmail|google)\.com$/, { spf: { prefix: "", include: "_spf.google.com" }, selectors: ["google"] }],
  [
    /(^|\.)(office365|outlook)\.com$/,
    { spf: { prefix: "", include: "spf.protection.outlook.com" }, selectors: ["selector1", "selector2"] },
  ],
  [/(^|\.)mailjet\.com$/, { spf: { prefix: "", include: "spf.mailjet.com" }, selectors: ["mailjet"] }],
  [/(^|\.)mailgun\.org$/, { spf: { prefix: "", include: "mailgun.org" }, selectors: [] }],
  [/(^|\.)sendgrid\.net$/, { spf: null, selectors: ["s1", "s2"] }],
];

/** The service that the installation sends with, by its settings. */
export function mailServiceOf(settings: { RESEND_API_KEY?: string; SMTP_URL?: string }): MailService {
  if (settings.RESEND_API_KEY) return RESEND;
  if (!settings.SMTP_URL) return ANY_SERVICE;
  const { hostname } = new URL(settings.SMTP_URL);
  return services.find(([host]) => host.test(hostname))?.[1] ?? ANY_SERVICE;
}

/** The names whose TXT records a check reads. */
export function recordNames(domain: string, service: MailService) {
  const labels = domain.split(".");
  return {
    spf: `${service.spf?.prefix ?? ""}${domain}`,
    dkim: service.selectors.map((selector) => `${selector}._domainkey.${domain}`),
    // A parent's policy applies to a subdomain without one.
    dmarc: labels.slice(0, -1).map((_, at) => `_dmarc.${labels.slice(at).join(".")}`),
  };
}

/** TXT records by name; null if the look-up failed. */
export type TxtRecords = ReadonlyMap<string, readonly string[] | null>;

/** The SPF records among TXT records. More than one is an error of the domain. */
export const spfRecords = (texts: readonly string[]): string[] =>
  texts.filter((text) => /^v=spf1(\s|$)/i.test(text.trim()));

/** Whether an SPF record allows the email service to send. */
export type SpfState = Extract<SenderRecord["state"], "ok" | "incomplete" | "unknown" | "unavailable">;

/** The state of each record, with what to add. `spf`: that of the only SPF record; null if nothing is known to look for. */
export function senderRecords(
  domain: string,
  service: MailService,
  records: TxtRecords,
  spf: SpfState | null,
): SenderRecord[] {
  const names = recordNames(domain, service);
  return [
    spfRecord(names.spf, service, records, spf ?? "unknown"),
    ...dkimRecords(names.dkim, domain, records),
    dmarcRecord(names.dmarc, records),
  ];
}

const shown = (text: string | undefined): string | null => text?.slice(0, MAX_SHOWN_RECORD) ?? null;
const starting = (texts: readonly string[], start: RegExp) => texts.filter((text) => start.test(text.trim()));

function spfRecord(name: string, { spf }: MailService, records: TxtRecords, state: SpfState): SenderRecord {
  const texts = records.get(name);
  const record = { kind: "spf", name, found: null, suggested: null } as const;
  if (!texts) return { ...record, state: "unavailable" };
  const [first, ...more] = spfRecords(texts);
  const include = spf && `include:${spf.include}`;
  if (first === undefined) return { ...record, state: "missing", suggested: include && `v=spf1 ${include} ~all` };
  if (more.length > 0) return { ...record, state: "several", found: shown([first, ...more].join("\n")) };
  return {
    ...record,
    state,
    found: shown(first),
    suggested: state === "incomplete" ? withInclude(first, include) : null,
  };
}

/** A record with the include before all else, where no limit of look-ups prevents it; null if that is too long to show. */
function withInclude(record: string, include: string | null): string | null {
  const [version, ...terms] = record.trim().split(/\s+/);
  const others = terms.filter((term) => term.toLowerCase().replace(/^[+\-~?]/, "") !== include);
  const text = [version, include, ...others].join(" ");
  // Part of a record would be an invalid one.
  return include === null || text.length > MAX_SHOWN_RECORD ? null : text;
}

function dkimRecords(names: string[], domain: string, records: TxtRecords): SenderRecord[] {
  const record = { kind: "dkim", found: null, suggested: null } as const;
  if (names.length === 0) return [{ ...record, name: `*._domainkey.${domain}`, state: "unknown" }];
  return names.map((name) => {
    const texts = records.get(name);
    if (!texts) return { ...record, name, state: "unavailable" };
    // An empty key is a revoked one.
    const key = texts.find((text) => /(^|;)\s*p=\s*[A-Za-z0-9+/]/.test(text));
    return { ...record, name, state: key === undefined ? "missing" : "ok", found: shown(key) };
  });
}

function dmarcRecord(names: string[], records: TxtRecords): SenderRecord {
  const record = { kind: "dmarc", name: names[0] ?? "", found: null, suggested: null } as const;
  for (const name of names) {
    const texts = records.get(name);
    if (!texts) return { ...record, name, state: "unavailable" };
    const [first, ...more] = starting(texts, /^v=DMARC1\s*(;|$)/i);
    if (first === undefined) continue;
    if (more.length > 0) return { ...record, name, state: "several", found: shown([first, ...more].join("\n")) };
    return { ...record, name, state: "ok", found: shown(first) };
  }
  return { ...record, state: "missing", suggested: "v=DMARC1; p=none" };
}

/** A sender is fine if nothing is missing. Keys whose names aren't known don't count. */
export const isSenderOk = (records: SenderCheck["records"]): boolean =>
  records.every(({ state }) => state === "ok" || state === "unknown");
