import type { Language } from "@/lib/platform/i18n/languages";

/** The wording of the mail that brings a shop's answer to who asked. */
export type AnswerWords = {
  subject: string;
  subject_product: string;
  preheader: string;
  heading: string;
  line: string;
  line_product: string;
  asked: string;
  answered: string;
  button: string;
  why: string;
  opt_out: string;
  opt_out_a: string;
};

export const answerWords: Record<Language, AnswerWords> = {
  en: {
    subject: "{shop} answered your question",
    subject_product: "Your question about {product} is answered",
    preheader: "Here is what the shop says.",
    heading: "Here is your answer",
    line: "You asked {shop} a question and wished to hear the answer by e-mail.",
    line_product: "You asked {shop} a question about {product} and wished to hear the answer by e-mail.",
    asked: "You asked",
    answered: "{author} answers",
    button: "See the product",
    why: "You get this one mail because you asked {shop} a question and ticked the box for it.",
    opt_out: "No more of these?",
    opt_out_a: "Unsubscribe",
  },
  de: {
    subject: "{shop} hat Ihre Frage beantwortet",
    subject_product: "Ihre Frage zu {product} ist beantwortet",
    preheader: "Das sagt der Shop dazu.",
    heading: "Hier ist Ihre Antwort",
    line: "Sie haben {shop} eine Frage gestellt und wollten die Antwort per E-Mail erhalten.",
    line_product: "Sie haben {shop} eine Frage zu {product} gestellt und wollten die Antwort per E-Mail erhalten.",
    asked: "Ihre Frage",
    answered: "Antwort von {author}",
    button: "Zum Produkt",
    why: "Sie erhalten diese eine E-Mail, weil Sie {shop} etwas gefragt und das Kästchen dafür angekreuzt haben.",
    opt_out: "Keine solchen E-Mails mehr?",
    opt_out_a: "Abmelden",
  },
  fr: {
    subject: "{shop} a répondu à votre question",
    subject_product: "Votre question sur {product} a reçu une réponse",
    preheader: "Voici ce que dit la boutique.",
    heading: "Voici votre réponse",
    line: "Vous avez posé une question à {shop} et souhaitiez recevoir la réponse par e-mail.",
    line_product: "Vous avez posé à {shop} une question sur {product} et souhaitiez recevoir la réponse par e-mail.",
    asked: "Votre question",
    answered: "Réponse de {author}",
    button: "Voir le produit",
    why: "Vous recevez cet unique e-mail parce que vous avez posé une question à {shop} et coché la case prévue.",
    opt_out: "Ne plus en recevoir ?",
    opt_out_a: "Se désabonner",
  },
  es: {
    subject: "{shop} ha respondido a tu pregunta",
    subject_product: "Tu pregunta sobre {product} tiene respuesta",
    preheader: "Esto es lo que dice la tienda.",
    heading: "Aquí tienes la respuesta",
    line: "Hiciste una pregunta a {shop} y querías recibir la respuesta por correo.",
    line_product: "Hiciste a {shop} una pregunta sobre {product} y querías recibir la respuesta por correo.",
    asked: "Tu pregunta",
    answered: "Respuesta de {author}",
    button: "Ver el producto",
    why: "Recibes este único correo porque hiciste una pregunta a {shop} y marcaste la casilla para ello.",
    opt_out: "¿No quieres recibir más?",
    opt_out_a: "Darse de baja",
  },
  sv: {
    subject: "{shop} har svarat på din fråga",
    subject_product: "Din fråga om {product} har fått svar",
    preheader: "Så här svarar butiken.",
    heading: "Här är ditt svar",
    line: "Du ställde en fråga till {shop} och ville få svaret per e-post.",
    line_product: "Du ställde en fråga om {product} till {shop} och ville få svaret per e-post.",
    asked: "Du frågade",
    answered: "Svar från {author}",
    button: "Se produkten",
    why: "Du får det här enda mejlet för att du ställde en fråga till {shop} och kryssade i rutan.",
    opt_out: "Vill du slippa?",
    opt_out_a: "Avregistrera dig",
  },
};
