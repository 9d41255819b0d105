import { logoRow, mailButton, mailHeading, mailHtml, quietLink } from "@/lib/platform/mail/templates/layout";

/** A part of the invitation email: rows of the card's table, and the plain text. Liquid. */
export type InvitationPart = { html: string; text: string };

const textRow = (content: string, top: number, bottom: number): string =>
  `<tr><td class="pad" style="padding:${top}px 40px ${bottom}px;">
${content}
</td></tr>`;

/**
 * The parts of the invitation email, from which the default template and templates made of blocks are composed. `html`
 * and `text` are Liquid for either format, `top` and `bottom` the space in pixels around the part.
 */
export const invitationParts = {
  logo: (): InvitationPart => ({ html: logoRow, text: "" }),

  greeting: ({ html, text }: InvitationPart, top: number, bottom: number): InvitationPart => ({
    html: textRow(
      `<p class="muted" style="margin:0 0 10px;font-size:16px;line-height:24px;color:#4b5563;">${html}</p>`,
      top,
      bottom,
    ),
    text: `${text}\n`,
  }),

  heading: ({ html, text }: InvitationPart, top: number, bottom: number): InvitationPart => ({
    html: textRow(mailHeading(html), top, bottom),
    text: `${text}\n`,
  }),

  /** Paragraphs. */
  text: (paragraphs: InvitationPart[], top: number, bottom: number): InvitationPart => ({
    html: textRow(
      paragraphs
        .map(
          ({ html }, index) =>
            `<p class="muted" style="margin:${index === 0 ? "0" : "12px 0 0"};font-size:16px;line-height:25px;color:#4b5563;">${html}</p>`,
        )
        .join("\n"),
      top,
      bottom + 8,
    ),
    text: `${paragraphs.map(({ text }) => text).join("\n\n")}\n`,
  }),

  /** What is left of a part that is left out. */
  space: (top: number, bottom: number): InvitationPart => ({
    html: top + bottom > 0 ? textRow("", top, bottom) : "",
    text: "",
  }),

  /** The products with stars, or the store's stars if there are none. */
  products: (): InvitationPart => ({
    html: `{% for item in items %}
<tr><td class="pad" style="padding:0 40px;">
<table role="presentation" class="line" width="100%" cellpadding="0" cellspacing="0" border="0" style="{% unless forloop.first %}border-top:1px solid #e5e7eb;{% endunless %}">
<tr>
<td class="picture-cell" width="112" valign="top" style="padding:24px 0;width:112px;">
<a href="{{ item.review_url }}" style="text-decoration:none;">{% if item.image_url %}<img class="picture" src="{{ item.image_url }}" alt="{{ item.name }}" width="96" height="96" style="width:96px;height:96px;object-fit:contain;border-radius:12px;background-color:#ffffff;">{% else %}<span class="tile picture" style="display:block;width:96px;height:96px;border-radius:12px;background-color:#f3f4f6;color:#6b7280;font-size:36px;line-height:96px;font-weight:700;text-align:center;">{{ item.initial }}</span>{% endif %}</a>
</td>
<td valign="middle" style="padding:24px 0;">
<a class="ink" href="{{ item.review_url }}" style="display:block;margin:0 0 2px;font-size:17px;line-height:24px;font-weight:650;color:#111827;text-decoration:none;">{{ item.name }}</a>
<div class="muted" style="font-size:13px;line-height:20px;color:#6b7280;">{{ words.rate }}</div>
<div style="margin:2px 0 0;white-space:nowrap;line-height:48px;">{% for star in item.stars %}<a class="star" href="{{ star.url }}" title="{{ star.label }}" aria-label="{{ star.label }}" style="display:inline-block;min-width:40px;font-size:38px;line-height:48px;text-align:center;color:#e6a100;text-decoration:none;">&#9734;</a>{% endfor %}</div>
<div class="muted" style="width:200px;max-width:100%;font-size:12px;line-height:16px;color:#6b7280;"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="muted" align="left" style="font-size:12px;color:#6b7280;padding-left:6px;">{{ words.low }}</td><td class="muted" align="right" style="font-size:12px;color:#6b7280;padding-right:6px;">{{ words.high }}</td></tr></table></div>
</td>
</tr>
</table>
</td></tr>
{% endfor %}
{% if only_service %}<tr><td class="pad" style="padding:16px 40px 0;">
<div class="muted" style="font-size:13px;line-height:20px;color:#6b7280;">{{ words.service_rate }}</div>
<div style="margin:2px 0 8px;white-space:nowrap;line-height:48px;">{% for star in seller_stars %}<a class="star" href="{{ star.url }}" title="{{ star.label }}" aria-label="{{ star.label }}" style="display:inline-block;min-width:40px;font-size:38px;line-height:48px;text-align:center;color:#e6a100;text-decoration:none;">&#9734;</a>{% endfor %}</div>
</td></tr>{% endif %}
{% unless all_items_present %}<tr><td class="pad" style="padding:0 40px 12px;"><p class="muted line" style="margin:0;padding-top:16px;border-top:1px solid #e5e7eb;font-size:14px;line-height:22px;color:#4b5563;">{{ words.more }}</p></td></tr>{% endunless %}`,
    text: `{% for item in items %}
{{ item.name }}
{{ item.review_url }}
{% endfor %}{% unless all_items_present %}
{{ words.more }}
{% endunless %}`,
  }),

  button: (url: InvitationPart, label: InvitationPart): InvitationPart => ({
    html: textRow(mailButton(url.html, label.html), 8, 36),
    text: `${label.text}:\n${url.text}\n`,
  }),

  /** A link to the review of the store, if it asks for one. */
  seller: (): InvitationPart => ({
    html: `{% if seller_review_url and only_service == false %}<tr><td class="pad line" style="padding:20px 40px;border-top:1px solid #e5e7eb;"><p class="muted" style="margin:0;font-size:15px;line-height:24px;color:#4b5563;">{{ words.seller }} <a class="ink" href="{{ seller_review_url }}" style="color:#111827;font-weight:650;text-decoration:underline;">{{ words.seller_link }}</a></p></td></tr>{% endif %}`,
    text: `{% if seller_review_url and only_service == false %}
{{ words.seller }}
{{ seller_review_url }}
{% endif %}`,
  }),

  /** The small print: the reason for the email, the unsubscribe link, the contact; below an own text of the store, if any. */
  footer: (own: InvitationPart | null): InvitationPart => ({
    html: `${own ? `${own.html}<br><br>\n` : ""}{% if not_received_url %}{{ words.not_yet }} ${quietLink("not_received_url", "words.not_yet_a")}<br>{% endif %}
{{ why }}<br>
{{ opt_out }} ${quietLink("opt_out_url", "opt_out_a")}{% if contact %}<br>{{ words.help }} ${quietLink("contact.url", "contact.label")}{% endif %}`,
    text: `
{{ words.thanks }}
{{ client_name }}

--
${own ? `${own.text}\n\n` : ""}{% if not_received_url %}{{ words.not_yet }} {{ words.not_yet_a }}: {{ not_received_url }}
{% endif %}{{ why }}
{{ opt_out }} {{ opt_out_a }}: {{ opt_out_url }}{% if contact %}
{{ words.help }} {{ contact.label }}{% endif %}
`,
  }),
};

/** A part with Liquid for what is above it in plain text: a blank line. */
export const withGap = ({ html, text }: InvitationPart, gap = "\n"): InvitationPart => ({
  html,
  text: `${gap}${text}`,
});

const variable = (name: string): InvitationPart => ({ html: `{{ ${name} }}`, text: `{{ ${name} }}` });

const defaultFooter = invitationParts.footer(null);
const defaultParts = [
  invitationParts.logo(),
  invitationParts.greeting(variable("greeting"), 28, 0),
  withGap(invitationParts.heading(variable("heading"), 0, 0)),
  invitationParts.text([variable("intro")], 0, 0),
  invitationParts.products(),
  withGap(invitationParts.button(variable("review_url"), variable("write_label"))),
  invitationParts.seller(),
];

/** Composes an email template of parts. */
export const composeInvitation = (parts: InvitationPart[], footer: InvitationPart): InvitationPart => ({
  html: mailHtml({ logo: "", rows: parts.map(({ html }) => html).join("\n"), footer: footer.html }),
  text: [...parts, footer].map(({ text }) => text).join(""),
});

/**
 * The default invitation email in Liquid. A client can replace it (`config.html_template`, `config.text_template`,
 * `config.subject`) with the same variables. Every value is escaped on output.
 */
export const { html: invitationHtml, text: invitationText } = composeInvitation(defaultParts, defaultFooter);
