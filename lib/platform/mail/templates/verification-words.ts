import type { Language } from "@/lib/platform/i18n/languages";

/** The wording of the mail that confirms an address. It repeats nothing of what was sent under that address. */
export type VerificationWords = {
  subject: string;
  preheader: string;
  heading: string;
  line: string;
  button: string;
  note: string;
  why: string;
  opt_out: string;
  opt_out_a: string;
};

export const verificationWords: Record<Language, VerificationWords> = {
  en: {
    subject: "Is this your address? {shop} asks you to confirm it",
    preheader: "One step, and what you wrote can be published.",
    heading: "Was that you?",
    line: "Somebody wrote to {shop} about a product and gave this address. If it was you, have a look and confirm it, so that it can be published.",
    button: "Look and confirm",
    note: "The link works for 30 days. If it was not you, do nothing.",
    why: "You get this mail because your address was given at {shop}.",
    opt_out: "No more of these?",
    opt_out_a: "Unsubscribe",
  },
  de: {
    subject: "Ist das Ihre Adresse? {shop} bittet um Bestätigung",
    preheader: "Ein Schritt noch, dann kann Ihr Text erscheinen.",
    heading: "Waren Sie das?",
    line: "Jemand hat bei {shop} etwas zu einem Produkt geschrieben und diese Adresse angegeben. Wenn Sie es waren, sehen Sie es sich an und bestätigen Sie es, damit es erscheinen kann.",
    button: "Ansehen und bestätigen",
    note: "Der Link gilt 30 Tage. Waren Sie es nicht, brauchen Sie nichts zu tun.",
    why: "Sie erhalten diese E-Mail, weil Ihre Adresse bei {shop} angegeben wurde.",
    opt_out: "Keine solchen E-Mails mehr?",
    opt_out_a: "Abmelden",
  },
  fr: {
    subject: "Est-ce votre adresse ? {shop} vous demande de la confirmer",
    preheader: "Encore une étape, et votre texte pourra être publié.",
    heading: "Était-ce vous ?",
    line: "Quelqu’un a écrit à {shop} au sujet d’un produit en indiquant cette adresse. Si c’était vous, relisez et confirmez, pour que votre texte puisse être publié.",
    button: "Relire et confirmer",
    note: "Le lien est valable 30 jours. Si ce n’était pas vous, vous n’avez rien à faire.",
    why: "Vous recevez cet e-mail parce que votre adresse a été indiquée chez {shop}.",
    opt_out: "Ne plus en recevoir ?",
    opt_out_a: "Se désabonner",
  },
  es: {
    subject: "¿Es esta tu dirección? {shop} te pide que la confirmes",
    preheader: "Un paso más y tu texto podrá publicarse.",
    heading: "¿Has sido tú?",
    line: "Alguien ha escrito a {shop} sobre un producto y ha indicado esta dirección. Si has sido tú, míralo y confírmalo para que pueda publicarse.",
    button: "Ver y confirmar",
    note: "El enlace funciona durante 30 días. Si no has sido tú, no tienes que hacer nada.",
    why: "Recibes este correo porque se indicó tu dirección en {shop}.",
    opt_out: "¿No quieres recibir más?",
    opt_out_a: "Darse de baja",
  },
  sv: {
    subject: "Är det här din adress? {shop} ber dig bekräfta den",
    preheader: "Ett steg kvar, sedan kan det du skrev publiceras.",
    heading: "Var det du?",
    line: "Någon har skrivit till {shop} om en produkt och angett den här adressen. Om det var du, titta på texten och bekräfta den, så att den kan publiceras.",
    button: "Titta och bekräfta",
    note: "Länken gäller i 30 dagar. Om det inte var du behöver du inte göra något.",
    why: "Du får det här mejlet för att din adress angavs hos {shop}.",
    opt_out: "Vill du slippa?",
    opt_out_a: "Avregistrera dig",
  },
};
