import clsx from "clsx";
import { useTranslations } from "#messages";
import { importSegments } from "@/components/feeds/labels";
import type { ImportLine } from "@/lib/feeds/schema";

type Counts = Pick<ImportLine, "read" | "created" | "updated" | "unchanged" | "deleted" | "rejected">;

/** The rows of an import as segments of a bar, and in words. */
export function ImportBar({ line, large = false }: { line: Counts; large?: boolean }) {
  const t = useTranslations();
  const parts = importSegments(line);
  if (line.read === 0) return <span className="text-muted">{t("feeds.noRows")}</span>;
  return (
    <div className="min-w-44">
      <div
        aria-hidden="true"
        className={clsx("flex gap-px overflow-hidden rounded-full bg-sunken", large ? "h-3" : "h-1.5")}
      >
        {parts.map(({ name, count, fill }) => (
          // Keep a segment visible even if it is one row in a million.
          <span key={name} className={fill} style={{ flexGrow: count, minWidth: "3px" }} />
        ))}
      </div>
      <p className={clsx("figures mt-1.5 flex flex-wrap gap-x-3 gap-y-0.5", large ? "text-sm" : "text-xs text-muted")}>
        {parts.map(({ name, count, fill }) => (
          <span key={name} className="inline-flex items-center gap-1.5 whitespace-nowrap">
            <span aria-hidden="true" className={clsx("size-2 rounded-full", fill)} />
            {t(name, { n: count })}
          </span>
        ))}
        {line.deleted > 0 && <span className="whitespace-nowrap">{t("feeds.removed", { n: line.deleted })}</span>}
      </p>
    </div>
  );
}
