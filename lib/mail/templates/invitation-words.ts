import type { Language } from "@/lib/languages/rules";

/** The wording of the invitation mail. Places in braces are filled before the template sees them. */
export type InvitationWords = {
  subject_one: string;
  subject_many: string;
  preheader: string;
  greeting: string;
  greeting_unnamed: string;
  heading: string;
  intro: string;
  rate: string;
  star: string;
  low: string;
  high: string;
  write_one: string;
  write_many: string;
  more: string;
  seller: string;
  seller_link: string;
  thanks: string;
  why: string;
  opt_out: string;
  opt_out_a: string;
  help: string;
};

export const invitationWords: Record<Language, InvitationWords> = {
  en: {
    subject_one: "How do you like {product}?",
    subject_many: "How do you like what you bought at {shop}?",
    preheader: "Pick your stars – it takes less than a minute and helps other shoppers.",
    greeting: "Hi {name},",
    greeting_unnamed: "Hi,",
    heading: "How did it turn out?",
    intro:
      "You have had some time with your order from {shop}. Tell others what it is really like – good or bad, both help.",
    rate: "Tap a star to start your review",
    star: "{score} of 5 stars",
    low: "Poor",
    high: "Excellent",
    write_one: "Write a review",
    write_many: "Review all your items",
    more: "There is more in your order: all items are on the review page.",
    seller: "How was {shop} itself?",
    seller_link: "Rate the shop",
    thanks: "Thank you for your time.",
    why: "You get this one mail because you bought something at {shop}.",
    opt_out: "No more of these?",
    opt_out_a: "Unsubscribe",
    help: "Questions about your order?",
  },
  de: {
    subject_one: "Wie gefällt Ihnen {product}?",
    subject_many: "Wie gefällt Ihnen Ihr Einkauf bei {shop}?",
    preheader: "Einfach Sterne antippen – das dauert keine Minute und hilft anderen.",
    greeting: "Guten Tag {name},",
    greeting_unnamed: "Guten Tag,",
    heading: "Sind Sie zufrieden?",
    intro:
      "Ihre Bestellung bei {shop} ist nun eine Weile bei Ihnen. Erzählen Sie anderen, wie sie wirklich ist – Lob und Kritik helfen gleichermaßen.",
    rate: "Mit einem Stern beginnt Ihre Bewertung",
    star: "{score} von 5 Sternen",
    low: "Schlecht",
    high: "Ausgezeichnet",
    write_one: "Bewertung schreiben",
    write_many: "Alle Artikel bewerten",
    more: "Ihre Bestellung enthält noch mehr: Alle Artikel finden Sie auf der Bewertungsseite.",
    seller: "Und wie war {shop} selbst?",
    seller_link: "Shop bewerten",
    thanks: "Danke, dass Sie sich die Zeit nehmen.",
    why: "Sie erhalten diese eine E-Mail, weil Sie bei {shop} eingekauft haben.",
    opt_out: "Keine solchen E-Mails mehr?",
    opt_out_a: "Abmelden",
    help: "Fragen zu Ihrer Bestellung?",
  },
  fr: {
    subject_one: "Que pensez-vous de {product} ?",
    subject_many: "Que pensez-vous de votre achat chez {shop} ?",
    preheader: "Choisissez vos étoiles : cela prend moins d’une minute et aide les autres.",
    greeting: "Bonjour {name},",
    greeting_unnamed: "Bonjour,",
    heading: "Alors, satisfait ?",
    intro:
      "Vous avez eu le temps de découvrir votre commande chez {shop}. Dites aux autres ce qu’elle vaut vraiment : éloges et critiques aident tout autant.",
    rate: "Touchez une étoile pour commencer votre avis",
    star: "{score} étoiles sur 5",
    low: "Mauvais",
    high: "Excellent",
    write_one: "Écrire un avis",
    write_many: "Évaluer tous vos articles",
    more: "Votre commande contient d’autres articles : ils sont tous sur la page d’avis.",
    seller: "Et {shop}, c’était comment ?",
    seller_link: "Évaluer la boutique",
    thanks: "Merci pour votre temps.",
    why: "Vous recevez cet unique e-mail parce que vous avez acheté chez {shop}.",
    opt_out: "Ne plus en recevoir ?",
    opt_out_a: "Se désabonner",
    help: "Une question sur votre commande ?",
  },
  es: {
    subject_one: "¿Qué te parece {product}?",
    subject_many: "¿Qué te parece tu compra en {shop}?",
    preheader: "Elige tus estrellas: tardas menos de un minuto y ayudas a los demás.",
    greeting: "Hola, {name}:",
    greeting_unnamed: "Hola:",
    heading: "¿Qué tal ha ido?",
    intro:
      "Ya llevas un tiempo con tu pedido de {shop}. Cuenta a los demás cómo es de verdad: tanto lo bueno como lo malo ayuda.",
    rate: "Toca una estrella para empezar tu opinión",
    star: "{score} de 5 estrellas",
    low: "Malo",
    high: "Excelente",
    write_one: "Escribir una opinión",
    write_many: "Opinar sobre todos los artículos",
    more: "Tu pedido tiene más artículos: los encontrarás todos en la página de opiniones.",
    seller: "¿Y qué tal {shop}?",
    seller_link: "Valorar la tienda",
    thanks: "Gracias por tu tiempo.",
    why: "Recibes este único correo porque compraste en {shop}.",
    opt_out: "¿No quieres recibir más?",
    opt_out_a: "Darse de baja",
    help: "¿Preguntas sobre tu pedido?",
  },
  sv: {
    subject_one: "Vad tycker du om {product}?",
    subject_many: "Vad tycker du om ditt köp hos {shop}?",
    preheader: "Välj dina stjärnor – det tar mindre än en minut och hjälper andra.",
    greeting: "Hej {name}!",
    greeting_unnamed: "Hej!",
    heading: "Hur blev det?",
    intro:
      "Nu har du haft din beställning från {shop} ett tag. Berätta för andra hur den verkligen är – både ris och ros hjälper.",
    rate: "Tryck på en stjärna för att börja",
    star: "{score} av 5 stjärnor",
    low: "Dåligt",
    high: "Utmärkt",
    write_one: "Skriv ett omdöme",
    write_many: "Betygsätt alla varor",
    more: "Det finns mer i din beställning: alla varor finns på omdömessidan.",
    seller: "Och hur var {shop}?",
    seller_link: "Betygsätt butiken",
    thanks: "Tack för din tid.",
    why: "Du får det här enda mejlet för att du har handlat hos {shop}.",
    opt_out: "Vill du slippa?",
    opt_out_a: "Avregistrera dig",
    help: "Frågor om din beställning?",
  },
};
