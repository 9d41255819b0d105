import type { Language } from "@/lib/platform/i18n/languages";

/** The wording of the mail that tells an author of a rejection. It repeats nothing of what was sent. */
export type RejectionWords = {
  subject: Record<"review" | "seller_review" | "question", string>;
  preheader: string;
  heading: string;
  line: string;
  line_named: string;
  reason: string;
  mend: string;
  button: string;
  note: string;
  why: string;
  opt_out: string;
  opt_out_a: string;
};

export const rejectionWords: Record<Language, RejectionWords> = {
  en: {
    subject: {
      review: "Your review at {shop} needs a change",
      seller_review: "Your review of {shop} needs a change",
      question: "Your question to {shop} needs a change",
    },
    preheader: "See why, and change it in a minute.",
    heading: "Not published yet",
    line: "Thank you for writing to {shop}. As it stands, we cannot publish it.",
    line_named: "Thank you for writing about {product}. As it stands, we cannot publish it.",
    reason: "The reason",
    mend: "If you change it, it is looked at again. What you think of it plays no part: praise and criticism are both welcome.",
    button: "Change it",
    note: "The link works for 30 days. Whoever has it can change your text, so keep it to yourself.",
    why: "You get this mail because you wrote to {shop} under this address.",
    opt_out: "No more of these?",
    opt_out_a: "Unsubscribe",
  },
  de: {
    subject: {
      review: "Ihre Bewertung bei {shop} braucht eine Änderung",
      seller_review: "Ihre Bewertung von {shop} braucht eine Änderung",
      question: "Ihre Frage an {shop} braucht eine Änderung",
    },
    preheader: "Sehen Sie, warum, und ändern Sie es in einer Minute.",
    heading: "Noch nicht veröffentlicht",
    line: "Danke, dass Sie {shop} geschrieben haben. So, wie der Text ist, können wir ihn nicht veröffentlichen.",
    line_named:
      "Danke, dass Sie über {product} geschrieben haben. So, wie der Text ist, können wir ihn nicht veröffentlichen.",
    reason: "Der Grund",
    mend: "Wenn Sie ihn ändern, wird er noch einmal angesehen. Was Sie davon halten, spielt keine Rolle: Lob und Kritik sind gleich willkommen.",
    button: "Text ändern",
    note: "Der Link gilt 30 Tage. Wer ihn hat, kann Ihren Text ändern; behalten Sie ihn für sich.",
    why: "Sie erhalten diese E-Mail, weil Sie {shop} unter dieser Adresse geschrieben haben.",
    opt_out: "Keine solchen E-Mails mehr?",
    opt_out_a: "Abmelden",
  },
  fr: {
    subject: {
      review: "Votre avis chez {shop} demande une modification",
      seller_review: "Votre avis sur {shop} demande une modification",
      question: "Votre question à {shop} demande une modification",
    },
    preheader: "Voyez pourquoi, et modifiez-le en une minute.",
    heading: "Pas encore publié",
    line: "Merci d’avoir écrit à {shop}. En l’état, nous ne pouvons pas publier votre texte.",
    line_named: "Merci d’avoir écrit au sujet de {product}. En l’état, nous ne pouvons pas publier votre texte.",
    reason: "La raison",
    mend: "Si vous le modifiez, il sera examiné de nouveau. Votre opinion n’y est pour rien : éloges et critiques sont tout aussi bienvenus.",
    button: "Modifier",
    note: "Le lien est valable 30 jours. Quiconque l’a peut modifier votre texte : gardez-le pour vous.",
    why: "Vous recevez cet e-mail parce que vous avez écrit à {shop} sous cette adresse.",
    opt_out: "Ne plus en recevoir ?",
    opt_out_a: "Se désabonner",
  },
  es: {
    subject: {
      review: "Tu opinión en {shop} necesita un cambio",
      seller_review: "Tu opinión sobre {shop} necesita un cambio",
      question: "Tu pregunta a {shop} necesita un cambio",
    },
    preheader: "Mira por qué y cámbialo en un minuto.",
    heading: "Aún sin publicar",
    line: "Gracias por escribir a {shop}. Tal como está, no podemos publicarlo.",
    line_named: "Gracias por escribir sobre {product}. Tal como está, no podemos publicarlo.",
    reason: "El motivo",
    mend: "Si lo cambias, lo volveremos a mirar. Lo que opines no influye: tanto los elogios como las críticas son bienvenidos.",
    button: "Cambiarlo",
    note: "El enlace funciona durante 30 días. Quien lo tenga puede cambiar tu texto: no lo compartas.",
    why: "Recibes este correo porque escribiste a {shop} con esta dirección.",
    opt_out: "¿No quieres recibir más?",
    opt_out_a: "Darse de baja",
  },
  sv: {
    subject: {
      review: "Ditt omdöme hos {shop} behöver ändras",
      seller_review: "Ditt omdöme om {shop} behöver ändras",
      question: "Din fråga till {shop} behöver ändras",
    },
    preheader: "Se varför, och ändra på en minut.",
    heading: "Inte publicerat än",
    line: "Tack för att du skrev till {shop}. Som texten är kan vi inte publicera den.",
    line_named: "Tack för att du skrev om {product}. Som texten är kan vi inte publicera den.",
    reason: "Anledningen",
    mend: "Om du ändrar den tittar vi på den igen. Vad du tycker spelar ingen roll: ris och ros är lika välkomna.",
    button: "Ändra texten",
    note: "Länken gäller i 30 dagar. Den som har den kan ändra din text, så behåll den för dig själv.",
    why: "Du får det här mejlet för att du skrev till {shop} med den här adressen.",
    opt_out: "Vill du slippa?",
    opt_out_a: "Avregistrera dig",
  },
};
