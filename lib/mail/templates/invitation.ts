/**
 * The default invitation mail in Liquid: tables and inline styles, as mail programs need them, 600 px wide. A client
 * may bring its own (`config.html_template`, `config.text_template`, `config.subject`) with the same variables.
 * Every value is escaped where it is put in.
 */
export const invitationHtml = `<!doctype html>
<html lang="{{ language }}" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>{{ subject }}</title>
<!--[if mso]><style>* { font-family: Arial, sans-serif !important; }</style><![endif]-->
<style>
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  body { margin: 0; padding: 0; width: 100%; -webkit-text-size-adjust: 100%; -ms-text-size-adjust: 100%; }
  img { border: 0; display: block; line-height: 100%; outline: none; text-decoration: none; }
  table { border-collapse: separate; mso-table-lspace: 0; mso-table-rspace: 0; }
  .star:hover { color: #e6a100 !important; }
  @media (max-width: 619px) {
    .outer { padding: 0 !important; }
    .card { border-radius: 0 !important; border-left: 0 !important; border-right: 0 !important; }
    .pad { padding-left: 24px !important; padding-right: 24px !important; }
    .heading { font-size: 25px !important; line-height: 32px !important; }
    .picture { width: 72px !important; height: 72px !important; }
    .picture-cell { width: 88px !important; }
    .tile { line-height: 72px !important; }
    .star { font-size: 34px !important; }
  }
  @media (prefers-color-scheme: dark) {
    .page { background-color: #121417 !important; }
    .card { background-color: #1c1f24 !important; border-color: #2c3038 !important; }
    .ink { color: #f3f4f6 !important; }
    .muted { color: #a6adb8 !important; }
    .line { border-color: #2c3038 !important; }
    .tile { background-color: #2a2e36 !important; color: #a6adb8 !important; }
    .star { color: #f5b83d !important; }
    .logo { background-color: #ffffff !important; border-radius: 6px; padding: 6px 10px !important; }
    a.quiet { color: #cbd2dc !important; }
  }
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f3f4f6;">
<div style="display:none;overflow:hidden;line-height:1px;max-height:0;max-width:0;opacity:0;">{{ words.preheader }}{% for i in (1..60) %}&#8199;&#65279;{% endfor %}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f3f4f6;">
<tr><td class="outer" align="center" style="padding:32px 12px;">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;background-color:#ffffff;border:1px solid #e5e7eb;border-radius:16px;overflow:hidden;font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;">
<tr><td style="height:6px;line-height:6px;font-size:6px;background-color:{{ accent_color }};">&nbsp;</td></tr>
<tr><td class="pad" align="left" style="padding:28px 40px 0;">
{% if logo_url %}<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="logo"><img src="{{ logo_url }}" alt="{{ client_name }}"{% if logo_x %} width="{{ logo_x }}"{% endif %}{% if logo_y %} height="{{ logo_y }}"{% endif %} style="max-width:240px;{% unless logo_y %}max-height:56px;{% endunless %}font-size:20px;font-weight:700;color:#111827;"></td></tr></table>
{% else %}<div class="ink" style="font-size:20px;line-height:28px;font-weight:700;letter-spacing:-0.2px;color:#111827;">{{ client_name }}</div>{% endif %}
</td></tr>
<tr><td class="pad" style="padding:28px 40px 8px;">
<p class="muted" style="margin:0 0 10px;font-size:16px;line-height:24px;color:#4b5563;">{{ greeting }}</p>
<h1 class="ink heading" style="margin:0 0 12px;font-size:30px;line-height:38px;font-weight:750;letter-spacing:-0.6px;color:#111827;">{{ words.heading }}</h1>
<p class="muted" style="margin:0;font-size:16px;line-height:25px;color:#4b5563;">{{ words.intro }}</p>
</td></tr>
{% for item in items %}
<tr><td class="pad" style="padding:0 40px;">
<table role="presentation" class="line" width="100%" cellpadding="0" cellspacing="0" border="0" style="{% unless forloop.first %}border-top:1px solid #e5e7eb;{% endunless %}">
<tr>
<td class="picture-cell" width="112" valign="top" style="padding:24px 0;width:112px;">
<a href="{{ item.review_url }}" style="text-decoration:none;">{% if item.image_url %}<img class="picture" src="{{ item.image_url }}" alt="" width="96" height="96" style="width:96px;height:96px;object-fit:contain;border-radius:12px;background-color:#ffffff;">{% else %}<span class="tile picture" style="display:block;width:96px;height:96px;border-radius:12px;background-color:#f3f4f6;color:#6b7280;font-size:36px;line-height:96px;font-weight:700;text-align:center;">{{ item.initial }}</span>{% endif %}</a>
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
{% unless all_items_present %}<tr><td class="pad" style="padding:0 40px 12px;"><p class="muted line" style="margin:0;padding-top:16px;border-top:1px solid #e5e7eb;font-size:14px;line-height:22px;color:#4b5563;">{{ words.more }}</p></td></tr>{% endunless %}
<tr><td class="pad" style="padding:8px 40px 36px;">
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="{{ accent_color }}" style="border-radius:10px;background-color:{{ accent_color }};">
<a href="{{ review_url }}" style="display:inline-block;padding:14px 28px;font-size:16px;line-height:20px;font-weight:650;color:{{ accent_ink }};text-decoration:none;border-radius:10px;">{{ write_label }}</a>
</td></tr></table>
</td></tr>
{% if seller_review_url %}<tr><td class="pad line" style="padding:20px 40px;border-top:1px solid #e5e7eb;"><p class="muted" style="margin:0;font-size:15px;line-height:24px;color:#4b5563;">{{ words.seller }} <a class="ink" href="{{ seller_review_url }}" style="color:#111827;font-weight:650;text-decoration:underline;">{{ words.seller_link }}</a></p></td></tr>{% endif %}
</table>
<!--[if mso]></td></tr></table><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;">
<tr><td class="pad muted" align="center" style="padding:24px 40px 8px;font-size:13px;line-height:21px;color:#5b6472;">
{{ words.why }}<br>
{{ opt_out }} <a class="quiet" href="{{ opt_out_url }}" style="color:#374151;text-decoration:underline;">{{ opt_out_a }}</a>{% if contact %}<br>{{ words.help }} <a class="quiet" href="{{ contact.url }}" style="color:#374151;text-decoration:underline;">{{ contact.label }}</a>{% endif %}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;

export const invitationText = `{{ greeting }}

{{ words.heading }}
{{ words.intro }}
{% for item in items %}
{{ item.name }}
{{ item.review_url }}
{% endfor %}{% unless all_items_present %}
{{ words.more }}
{% endunless %}
{{ write_label }}:
{{ review_url }}
{% if seller_review_url %}
{{ words.seller }}
{{ seller_review_url }}
{% endif %}
{{ words.thanks }}
{{ client_name }}

--
{{ words.why }}
{{ opt_out }} {{ opt_out_a }}: {{ opt_out_url }}{% if contact %}
{{ words.help }} {{ contact.label }}{% endif %}
`;
