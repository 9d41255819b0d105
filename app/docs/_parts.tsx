import { Fragment, type ReactNode } from "react";
import { Cell, Head, Row, Table } from "@/components/ui/table";
import type { Field } from "./_fields";

/** Running text in which `backticks` mark what is typed. */
export function Text({ children }: { children: string }) {
  return children.split(/(`[^`]+`)/).map((part, index) =>
    part.startsWith("`") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text that never changes
      <code key={index} className="rounded-control bg-sunken px-1 py-0.5 font-mono text-[0.88em] break-words">
        {part.slice(1, -1)}
      </code>
    ) : (
      part
    ),
  );
}

/** An address of the API, which breaks between its parts where there is no room for it. */
export function Path({ children }: { children: string }) {
  const parts = children.split(/(?=\/)/);
  return parts.map((part, index) => (
    <Fragment key={parts.slice(0, index + 1).join("")}>
      <wbr />
      {part}
    </Fragment>
  ));
}

export function P({ children }: { children: string }) {
  return (
    <p className="max-w-[68ch]">
      <Text>{children}</Text>
    </p>
  );
}

/** A sample to copy. It scrolls by itself, so the page never does sideways. */
export function Code({ label, children }: { label: string; children: string }) {
  return (
    <figure className="overflow-hidden rounded-card border border-line bg-raised">
      <figcaption className="border-b border-line bg-sunken px-4 py-1.5 text-xs font-medium text-muted">
        {label}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <pre tabIndex={0} className="max-h-96 overflow-auto px-4 py-3 font-mono text-xs leading-relaxed">
        {children}
      </pre>
    </figure>
  );
}

export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-6 space-y-4 border-t border-line pt-8">
      <h2 id={`${id}-title`} className="text-xl font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** A table of fields. `required` shows which must be given; answers have no such thing. */
export function Fields({ caption, fields, required }: { caption: string; fields: Field[]; required: boolean }) {
  return (
    <Table caption={caption}>
      {/* On a phone a field is a block of its own: what it means must not hide behind a scroll. */}
      <thead className="max-sm:sr-only">
        <tr>
          <Head>Field</Head>
          <Head>Type</Head>
          <Head className="w-full">Meaning</Head>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ path, type, resource, required: must, note }) => (
          <Row
            key={path}
            className="max-sm:block max-sm:border-b max-sm:px-4 max-sm:py-2.5 max-sm:*:block max-sm:*:border-0 max-sm:*:p-0 max-sm:last:border-b-0"
          >
            <Cell className="font-mono text-xs sm:whitespace-nowrap">{path}</Cell>
            <Cell className="text-muted sm:whitespace-nowrap">
              {resource ? (
                <a className="link" href={`#${resource}`}>
                  {type}
                </a>
              ) : (
                type
              )}
            </Cell>
            <Cell className="sm:min-w-64">
              {required && must ? <strong className="font-medium">Required. </strong> : null}
              <Text>{note}</Text>
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
