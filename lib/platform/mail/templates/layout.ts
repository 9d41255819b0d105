const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";

/** The card's row with the client's logo, or its name if it has none. */
export const logoRow = `<tr><td class="pad" align="left" style="padding:28px 40px 0;">
{% if logo_url %}<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="logo"><img src="{{ logo_url }}" alt="{{ client_name }}"{% if logo_x %} width="{{ logo_x }}"{% endif %}{% if logo_y %} height="{{ logo_y }}"{% endif %} style="max-width:240px;{% unless logo_y %}max-height:56px;{% endunless %}font-size:20px;font-weight:700;color:#111827;"></td></tr></table>
{% else %}<div class="ink" style="font-size:20px;line-height:28px;font-weight:700;letter-spacing:-0.2px;color:#111827;">{{ client_name }}</div>{% endif %}
</td></tr>`;

/**
 * The layout of every email: tables and inline styles for email clients, 600 px wide, light and dark, with the client's
 * logo and color. Liquid; every value is escaped on output. `rows` are rows of the card's table below `logo`, `footer` is the
 * small print. Variables: `language`, `subject`, `preheader`, and those of `brandingOf`.
 */
export const mailHtml = ({
  logo = logoRow,
  rows,
  footer,
}: {
  logo?: string;
  rows: string;
  footer: string;
}): string => `<!doctype html>
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
    .tile, .block { background-color: #2a2e36 !important; }
    .tile { color: #a6adb8 !important; }
    .star { color: #f5b83d !important; }
    .button { border: 1px solid rgba(255, 255, 255, 0.2) !important; }
    .logo { background-color: #ffffff !important; border-radius: 6px; padding: 6px 10px !important; }
    a.quiet { color: #cbd2dc !important; }
  }
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f3f4f6;">
<div style="display:none;overflow:hidden;line-height:1px;max-height:0;max-width:0;opacity:0;">{{ preheader }}{% for i in (1..60) %}&#8199;&#65279;{% endfor %}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f3f4f6;">
<tr><td class="outer" align="center" style="padding:32px 12px;">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;background-color:#ffffff;border:1px solid #e5e7eb;border-radius:16px;overflow:hidden;${font}">
<tr><td style="height:6px;line-height:6px;font-size:6px;background-color:{{ accent_color }};">&nbsp;</td></tr>
${logo}
${rows}
</table>
<!--[if mso]></td></tr></table><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;${font}">
<tr><td class="pad muted" align="center" style="padding:24px 40px 8px;font-size:13px;line-height:21px;color:#5b6472;">
${footer}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;

/** A button in the client's color, which may be as dark as the dark mode's card; `url` and `label` are Liquid for HTML. */
export const mailButton = (url: string, label: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="button" bgcolor="{{ accent_color }}" style="border-radius:10px;background-color:{{ accent_color }};">
<a href="${url}" style="display:inline-block;padding:14px 28px;font-size:16px;line-height:20px;font-weight:650;color:{{ accent_ink }};text-decoration:none;border-radius:10px;">${label}</a>
</td></tr></table>`;

/** A heading; `text` is Liquid for HTML. */
export const mailHeading = (text: string): string =>
  `<h1 class="ink heading" style="margin:0 0 12px;font-size:29px;line-height:37px;font-weight:750;letter-spacing:-0.6px;color:#111827;">${text}</h1>`;

/** A link in the small print; `url` and `label` are names of variables. */
export const quietLink = (url: string, label: string): string =>
  `<a class="quiet" href="{{ ${url} }}" style="color:#374151;text-decoration:underline;">{{ ${label} }}</a>`;
