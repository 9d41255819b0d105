import type { Language } from "@/lib/platform/i18n/languages";

/** What the page behind a verification link says. */
export type VerificationPageWords = Record<
  | "ask_heading"
  | "ask"
  | "ask_several"
  | "ask_more"
  | "review"
  | "review_of"
  | "question"
  | "question_about"
  | "button"
  | "not_me"
  | "not_me_stop"
  | "done_heading"
  | "done"
  | "over_heading"
  | "over"
  | "expired_heading"
  | "expired",
  string
>;

export const verificationPageWords: Record<Language, VerificationPageWords> = {
  en: {
    ask_heading: "Was that you?",
    ask: "This was sent to {shop} under your address.",
    ask_several: "This was sent to {shop} under your address. Take the tick off what is not yours.",
    ask_more: "There is more than this: the rest comes on the next page.",
    review: "Review",
    review_of: "Review of {product}",
    question: "Question",
    question_about: "Question about {product}",
    button: "Yes, I wrote that",
    not_me: "That was not you? Then you need not do anything: it stays unconfirmed.",
    not_me_stop: "No more mails from {shop}",
    done_heading: "Thank you!",
    done: "Your address is confirmed. What you wrote is looked at before it shows.",
    over_heading: "Nothing left to do",
    over: "This has been confirmed already, or it is no longer there.",
    expired_heading: "This link has run out",
    expired: "It worked for 30 days. Send what you wrote to {shop} once more, and you get a new one.",
  },
  de: {
    ask_heading: "Waren Sie das?",
    ask: "Das wurde mit Ihrer Adresse an {shop} geschickt.",
    ask_several:
      "Das wurde mit Ihrer Adresse an {shop} geschickt. Nehmen Sie das Häkchen weg, wo es nicht von Ihnen ist.",
    ask_more: "Es ist noch mehr da: Der Rest kommt auf der nächsten Seite.",
    review: "Bewertung",
    review_of: "Bewertung: {product}",
    question: "Frage",
    question_about: "Frage zu {product}",
    button: "Ja, das ist von mir",
    not_me: "Das waren Sie nicht? Dann brauchen Sie nichts zu tun: Es bleibt unbestätigt.",
    not_me_stop: "Keine E-Mails mehr von {shop}",
    done_heading: "Vielen Dank!",
    done: "Ihre Adresse ist bestätigt. Was Sie geschrieben haben, wird geprüft, bevor es erscheint.",
    over_heading: "Hier ist nichts mehr zu tun",
    over: "Es wurde schon bestätigt, oder es ist nicht mehr da.",
    expired_heading: "Dieser Link ist abgelaufen",
    expired: "Er galt 30 Tage. Senden Sie Ihren Text noch einmal an {shop}, dann erhalten Sie einen neuen.",
  },
  fr: {
    ask_heading: "Était-ce vous ?",
    ask: "Ceci a été envoyé à {shop} avec votre adresse.",
    ask_several: "Ceci a été envoyé à {shop} avec votre adresse. Décochez ce qui n’est pas de vous.",
    ask_more: "Ce n’est pas tout : la suite est à la page suivante.",
    review: "Avis",
    review_of: "Avis sur {product}",
    question: "Question",
    question_about: "Question sur {product}",
    button: "Oui, c’est de moi",
    not_me: "Ce n’était pas vous ? Vous n’avez rien à faire : cela reste sans confirmation.",
    not_me_stop: "Plus d’e-mails de {shop}",
    done_heading: "Merci !",
    done: "Votre adresse est confirmée. Votre texte est relu avant d’être publié.",
    over_heading: "Il n’y a plus rien à faire",
    over: "Cela a déjà été confirmé, ou n’existe plus.",
    expired_heading: "Ce lien a expiré",
    expired: "Il était valable 30 jours. Envoyez votre texte à {shop} encore une fois pour en recevoir un nouveau.",
  },
  es: {
    ask_heading: "¿Has sido tú?",
    ask: "Esto se envió a {shop} con tu dirección.",
    ask_several: "Esto se envió a {shop} con tu dirección. Desmarca lo que no sea tuyo.",
    ask_more: "Hay más: el resto está en la página siguiente.",
    review: "Opinión",
    review_of: "Opinión sobre {product}",
    question: "Pregunta",
    question_about: "Pregunta sobre {product}",
    button: "Sí, lo escribí yo",
    not_me: "¿No has sido tú? No tienes que hacer nada: queda sin confirmar.",
    not_me_stop: "No recibir más correos de {shop}",
    done_heading: "¡Gracias!",
    done: "Tu dirección está confirmada. Lo que has escrito se revisa antes de publicarse.",
    over_heading: "No queda nada por hacer",
    over: "Ya se confirmó o ya no existe.",
    expired_heading: "Este enlace ha caducado",
    expired: "Funcionó durante 30 días. Envía tu texto a {shop} otra vez y recibirás uno nuevo.",
  },
  sv: {
    ask_heading: "Var det du?",
    ask: "Det här skickades till {shop} med din adress.",
    ask_several: "Det här skickades till {shop} med din adress. Avmarkera det som inte är ditt.",
    ask_more: "Det finns mer: resten kommer på nästa sida.",
    review: "Omdöme",
    review_of: "Omdöme om {product}",
    question: "Fråga",
    question_about: "Fråga om {product}",
    button: "Ja, det skrev jag",
    not_me: "Var det inte du? Då behöver du inte göra något: det förblir obekräftat.",
    not_me_stop: "Inga fler mejl från {shop}",
    done_heading: "Tack!",
    done: "Din adress är bekräftad. Det du skrev granskas innan det visas.",
    over_heading: "Det finns inget mer att göra",
    over: "Det är redan bekräftat eller finns inte kvar.",
    expired_heading: "Länken har gått ut",
    expired: "Den gällde i 30 dagar. Skicka din text till {shop} en gång till så får du en ny.",
  },
};
