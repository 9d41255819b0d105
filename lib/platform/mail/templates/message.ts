import { mailButton, mailHeading, mailHtml, quietLink } from "@/lib/platform/mail/templates/layout";

/** A short service email in Liquid: a heading, lines, quoted blocks, one button. See `Message`. */
export const messageHtml = mailHtml({
  rows: `<tr><td class="pad" style="padding:28px 40px 0;">
${mailHeading("{{ heading }}")}
{% for line in lines %}<p class="muted" style="margin:0 0 12px;font-size:16px;line-height:25px;color:#4b5563;">{{ line }}</p>
{% endfor %}</td></tr>
{% for block in blocks %}<tr><td class="pad" style="padding:8px 40px 12px;"><table role="presentation" class="block" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f3f4f6;border-radius:12px;"><tr><td style="padding:18px 22px;">
{% if block.label %}<p class="muted" style="margin:0 0 6px;font-size:13px;line-height:19px;font-weight:600;color:#4b5563;">{{ block.label }}</p>{% endif %}
{% for line in block.lines %}<p class="ink" style="margin:0 0 4px;font-size:16px;line-height:25px;color:#1f2937;white-space:pre-line;">{{ line }}</p>{% endfor %}
{% if block.link %}<p style="margin:8px 0 0;font-size:15px;line-height:24px;">${quietLink("block.link.url", "block.link.label")}</p>{% endif %}
</td></tr></table></td></tr>
{% endfor %}{% if after.size > 0 %}<tr><td class="pad" style="padding:8px 40px 0;">
{% for line in after %}<p class="muted" style="margin:0 0 12px;font-size:16px;line-height:25px;color:#4b5563;">{{ line }}</p>
{% endfor %}</td></tr>
{% endif %}{% if button %}<tr><td class="pad" style="padding:12px 40px {% if note %}20{% else %}36{% endif %}px;">
${mailButton("{{ button.url }}", "{{ button.label }}")}
</td></tr>
{% endif %}<tr><td class="pad" style="padding:0 40px {% if note %}36{% else %}16{% endif %}px;">{% if note %}<p class="muted" style="margin:0;font-size:14px;line-height:22px;color:#4b5563;">{{ note }}</p>{% endif %}</td></tr>`,
  footer: `{{ why }}{% if opt_out %}<br>
{{ opt_out.question }} ${quietLink("opt_out.url", "opt_out.label")}{% endif %}{% if contact %}<br>{{ help }} ${quietLink("contact.url", "contact.label")}{% endif %}{% for link in more %}<br>${quietLink("link.url", "link.label")}{% endfor %}`,
});

export const messageText = `{{ heading }}
{% for line in lines %}
{{ line }}
{% endfor %}{% for block in blocks %}
{% if block.label %}{{ block.label }}:
{% endif %}{% for line in block.lines %}{{ line }}
{% endfor %}{% if block.link %}{{ block.link.label }}: {{ block.link.url }}
{% endif %}{% endfor %}{% for line in after %}
{{ line }}
{% endfor %}{% if button %}
{{ button.label }}:
{{ button.url }}
{% endif %}{% if note %}
{{ note }}
{% endif %}
{{ client_name }}

--
{{ why }}{% if opt_out %}
{{ opt_out.question }} {{ opt_out.label }}: {{ opt_out.url }}{% endif %}{% if contact %}
{{ help }} {{ contact.label }}{% endif %}{% for link in more %}
{{ link.label }}: {{ link.url }}{% endfor %}
`;
