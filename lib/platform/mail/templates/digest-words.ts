import type { Language } from "@/lib/platform/i18n/languages";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";

/** One of something, and several: `{count}` is their number. */
type Counted = [one: string, many: string];

/** The wording of the mail that tells a shop's people what waits, and of the page that ends it. */
export type DigestWords = {
  subject: Counted;
  subject_other: string;
  preheader: string;
  heading: string;
  waiting: Counted;
  kinds: Record<DecidedKind, Counted>;
  since: string;
  decide: string;
  reported_label: string;
  reported: Counted;
  look: string;
  unanswered_label: string;
  unanswered: Counted;
  unanswered_note: string;
  answer: string;
  unreplied_label: string;
  unreplied: Counted;
  reply: string;
  button: string;
  why_day: string;
  why_week: string;
  stop: string;
  stop_a: string;
  ask_heading: string;
  ask: string;
  ask_button: string;
  stopped_heading: string;
  stopped: string;
};

export const digestWords: Record<Language, DigestWords> = {
  en: {
    subject: ["{shop}: 1 item waits for a decision", "{shop}: {count} items wait for a decision"],
    subject_other: "{shop}: something waits for you",
    preheader: "What waits, since when, and the way to it.",
    heading: "What waits at {shop}",
    waiting: ["1 item waits for a decision", "{count} items wait for a decision"],
    kinds: {
      review: ["1 review", "{count} reviews"],
      seller_review: ["1 review of the shop", "{count} reviews of the shop"],
      question: ["1 question", "{count} questions"],
      answer: ["1 answer", "{count} answers"],
      photo: ["1 photo", "{count} photos"],
    },
    since: "The oldest has waited since {moment}.",
    decide: "Start with the oldest",
    reported_label: "Reported by visitors",
    reported: ["1 published review was reported.", "{count} published reviews were reported."],
    look: "Look at them",
    unanswered_label: "Without an answer",
    unanswered: ["1 published question has no answer.", "{count} published questions have no answer."],
    unanswered_note: "A question shows in the shop with its first answer.",
    answer: "Answer them",
    unreplied_label: "Without a reply",
    unreplied: [
      "1 of the latest reviews has no reply from you.",
      "{count} of the latest reviews have no reply from you.",
    ],
    reply: "Reply to them",
    button: "Open the portal",
    why_day:
      "You get this mail because you asked to be told every day what waits at {shop}. Nothing comes when nothing waits.",
    why_week:
      "You get this mail because you asked to be told every week what waits at {shop}. Nothing comes when nothing waits.",
    stop: "No more of these?",
    stop_a: "Switch it off",
    ask_heading: "Switch the summary off?",
    ask: "You will no longer be told by mail what waits at {shop}.",
    ask_button: "Switch it off",
    stopped_heading: "It is switched off",
    stopped: "No more summaries come. Under “Your account” in the portal you can switch them on again.",
  },
  de: {
    subject: [
      "{shop}: 1 Eintrag wartet auf eine Entscheidung",
      "{shop}: {count} Einträge warten auf eine Entscheidung",
    ],
    subject_other: "{shop}: Etwas wartet auf Sie",
    preheader: "Was wartet, seit wann, und der Weg dorthin.",
    heading: "Was bei {shop} wartet",
    waiting: ["1 Eintrag wartet auf eine Entscheidung", "{count} Einträge warten auf eine Entscheidung"],
    kinds: {
      review: ["1 Bewertung", "{count} Bewertungen"],
      seller_review: ["1 Bewertung des Shops", "{count} Bewertungen des Shops"],
      question: ["1 Frage", "{count} Fragen"],
      answer: ["1 Antwort", "{count} Antworten"],
      photo: ["1 Foto", "{count} Fotos"],
    },
    since: "Der älteste wartet seit {moment}.",
    decide: "Mit dem ältesten beginnen",
    reported_label: "Von Besuchern gemeldet",
    reported: ["1 veröffentlichte Bewertung wurde gemeldet.", "{count} veröffentlichte Bewertungen wurden gemeldet."],
    look: "Ansehen",
    unanswered_label: "Ohne Antwort",
    unanswered: ["1 veröffentlichte Frage hat keine Antwort.", "{count} veröffentlichte Fragen haben keine Antwort."],
    unanswered_note: "Eine Frage erscheint im Shop mit ihrer ersten Antwort.",
    answer: "Beantworten",
    unreplied_label: "Ohne Erwiderung",
    unreplied: [
      "1 der neuesten Bewertungen hat keine Erwiderung von Ihnen.",
      "{count} der neuesten Bewertungen haben keine Erwiderung von Ihnen.",
    ],
    reply: "Erwidern",
    button: "Portal öffnen",
    why_day:
      "Sie erhalten diese E-Mail, weil Sie täglich wissen möchten, was bei {shop} wartet. Wartet nichts, kommt nichts.",
    why_week:
      "Sie erhalten diese E-Mail, weil Sie wöchentlich wissen möchten, was bei {shop} wartet. Wartet nichts, kommt nichts.",
    stop: "Keine solchen E-Mails mehr?",
    stop_a: "Abschalten",
    ask_heading: "Übersicht abschalten?",
    ask: "Sie erfahren dann nicht mehr per E-Mail, was bei {shop} wartet.",
    ask_button: "Abschalten",
    stopped_heading: "Sie ist abgeschaltet",
    stopped: "Es kommen keine Übersichten mehr. Im Portal können Sie sie unter „Ihr Zugang“ wieder einschalten.",
  },
  fr: {
    subject: ["{shop} : 1 élément attend une décision", "{shop} : {count} éléments attendent une décision"],
    subject_other: "{shop} : quelque chose vous attend",
    preheader: "Ce qui attend, depuis quand, et le chemin pour y aller.",
    heading: "Ce qui attend chez {shop}",
    waiting: ["1 élément attend une décision", "{count} éléments attendent une décision"],
    kinds: {
      review: ["1 avis", "{count} avis"],
      seller_review: ["1 avis sur la boutique", "{count} avis sur la boutique"],
      question: ["1 question", "{count} questions"],
      answer: ["1 réponse", "{count} réponses"],
      photo: ["1 photo", "{count} photos"],
    },
    since: "Le plus ancien attend depuis le {moment}.",
    decide: "Commencer par le plus ancien",
    reported_label: "Signalés par des visiteurs",
    reported: ["1 avis publié a été signalé.", "{count} avis publiés ont été signalés."],
    look: "Les examiner",
    unanswered_label: "Sans réponse",
    unanswered: ["1 question publiée est sans réponse.", "{count} questions publiées sont sans réponse."],
    unanswered_note: "Une question apparaît dans la boutique avec sa première réponse.",
    answer: "Y répondre",
    unreplied_label: "Sans réponse de votre part",
    unreplied: [
      "1 des derniers avis est sans réponse de votre part.",
      "{count} des derniers avis sont sans réponse de votre part.",
    ],
    reply: "Y répondre",
    button: "Ouvrir le portail",
    why_day:
      "Vous recevez cet e-mail parce que vous avez demandé à savoir chaque jour ce qui attend chez {shop}. Rien n’arrive quand rien n’attend.",
    why_week:
      "Vous recevez cet e-mail parce que vous avez demandé à savoir chaque semaine ce qui attend chez {shop}. Rien n’arrive quand rien n’attend.",
    stop: "Ne plus en recevoir ?",
    stop_a: "Désactiver",
    ask_heading: "Désactiver le récapitulatif ?",
    ask: "Vous ne serez plus informé par e-mail de ce qui attend chez {shop}.",
    ask_button: "Désactiver",
    stopped_heading: "C’est désactivé",
    stopped: "Vous ne recevrez plus de récapitulatif. Vous pouvez le réactiver dans le portail, sous « Votre compte ».",
  },
  es: {
    subject: ["{shop}: 1 elemento espera una decisión", "{shop}: {count} elementos esperan una decisión"],
    subject_other: "{shop}: algo te espera",
    preheader: "Qué espera, desde cuándo y cómo llegar.",
    heading: "Lo que espera en {shop}",
    waiting: ["1 elemento espera una decisión", "{count} elementos esperan una decisión"],
    kinds: {
      review: ["1 opinión", "{count} opiniones"],
      seller_review: ["1 opinión sobre la tienda", "{count} opiniones sobre la tienda"],
      question: ["1 pregunta", "{count} preguntas"],
      answer: ["1 respuesta", "{count} respuestas"],
      photo: ["1 foto", "{count} fotos"],
    },
    since: "El más antiguo espera desde el {moment}.",
    decide: "Empezar por el más antiguo",
    reported_label: "Denunciadas por visitantes",
    reported: ["Se denunció 1 opinión publicada.", "Se denunciaron {count} opiniones publicadas."],
    look: "Revisarlas",
    unanswered_label: "Sin respuesta",
    unanswered: ["1 pregunta publicada no tiene respuesta.", "{count} preguntas publicadas no tienen respuesta."],
    unanswered_note: "Una pregunta aparece en la tienda con su primera respuesta.",
    answer: "Responder",
    unreplied_label: "Sin respuesta tuya",
    unreplied: [
      "1 de las últimas opiniones no tiene respuesta tuya.",
      "{count} de las últimas opiniones no tienen respuesta tuya.",
    ],
    reply: "Responder",
    button: "Abrir el portal",
    why_day:
      "Recibes este correo porque pediste saber cada día qué espera en {shop}. Si no espera nada, no llega nada.",
    why_week:
      "Recibes este correo porque pediste saber cada semana qué espera en {shop}. Si no espera nada, no llega nada.",
    stop: "¿No quieres recibir más?",
    stop_a: "Desactivarlo",
    ask_heading: "¿Desactivar el resumen?",
    ask: "Ya no se te informará por correo de lo que espera en {shop}.",
    ask_button: "Desactivarlo",
    stopped_heading: "Está desactivado",
    stopped: "No llegarán más resúmenes. En el portal puedes volver a activarlos en «Su cuenta».",
  },
  sv: {
    subject: ["{shop}: 1 inlägg väntar på beslut", "{shop}: {count} inlägg väntar på beslut"],
    subject_other: "{shop}: något väntar på dig",
    preheader: "Vad som väntar, sedan när, och vägen dit.",
    heading: "Det här väntar hos {shop}",
    waiting: ["1 inlägg väntar på beslut", "{count} inlägg väntar på beslut"],
    kinds: {
      review: ["1 omdöme", "{count} omdömen"],
      seller_review: ["1 omdöme om butiken", "{count} omdömen om butiken"],
      question: ["1 fråga", "{count} frågor"],
      answer: ["1 svar", "{count} svar"],
      photo: ["1 foto", "{count} foton"],
    },
    since: "Det äldsta har väntat sedan {moment}.",
    decide: "Börja med det äldsta",
    reported_label: "Anmält av besökare",
    reported: ["1 publicerat omdöme har anmälts.", "{count} publicerade omdömen har anmälts."],
    look: "Titta på dem",
    unanswered_label: "Utan svar",
    unanswered: ["1 publicerad fråga saknar svar.", "{count} publicerade frågor saknar svar."],
    unanswered_note: "En fråga visas i butiken med sitt första svar.",
    answer: "Svara på dem",
    unreplied_label: "Utan kommentar från er",
    unreplied: [
      "1 av de senaste omdömena saknar kommentar från er.",
      "{count} av de senaste omdömena saknar kommentar från er.",
    ],
    reply: "Kommentera dem",
    button: "Öppna portalen",
    why_day:
      "Du får det här mejlet för att du vill veta varje dag vad som väntar hos {shop}. Väntar inget kommer inget.",
    why_week:
      "Du får det här mejlet för att du vill veta varje vecka vad som väntar hos {shop}. Väntar inget kommer inget.",
    stop: "Vill du slippa?",
    stop_a: "Stäng av",
    ask_heading: "Stänga av sammanfattningen?",
    ask: "Du får inte längre veta per mejl vad som väntar hos {shop}.",
    ask_button: "Stäng av",
    stopped_heading: "Den är avstängd",
    stopped: "Det kommer inga fler sammanfattningar. I portalen kan du slå på dem igen under ”Ditt konto”.",
  },
};
