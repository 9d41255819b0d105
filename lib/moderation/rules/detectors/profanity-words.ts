// Our additions to the public word lists, by language: definite words, words that are harmless in a product review, and
// common words the lists lack. Entries are lower-case. Warning: contains offensive words.

const list = (text: string): string[] => text.split(",").map((entry) => entry.trim());

/** Words without a harmless meaning in any review; the rule may reject for them without a person. */
export const certainWords: Partial<Record<string, string[]>> = {
  en: list(`fuck, fucks, fucked, fucker, fuckers, fuckin, fucking, fuckface, fuckhead, fuckwit, fuckwits, fuckery, unfuckable, motherfucker,
    motherfuckers, motherfuckin, motherfucking, mothafucka, cunt, cunts, cocksucker, cocksuckers, nigger, niggers, nigga, niggas, asshole,
    assholes, arsehole, arseholes, dickhead, dickheads, wanker, wankers, twats, whore, whores, raghead, ragheads, towelhead, towelheads`),
  de: list(`fotze, fotzen, hurensohn, hurensöhne, arschloch, arschlöcher, arschlöchern, arschficker, wichser, wichsern, schwanzlutscher, ficken,
    ficke, fickt, gefickt, verfickt, verfickte, verfickten, verfickter, verficktes, fick dich, nigger, kanake, kanaken, missgeburt, drecksau,
    nutte, nutten, schlampe, schlampen, scheißkerl, scheisskerl, kackbratze, schwuchtel, schwuchteln`),
  fr: list(`enculé, enculés, enculée, enculées, encule, enculer, enculeur, enculeurs, fils de pute, fille de pute, nique ta mère, nique ta mere,
    niquer ta mère, nique ta race, la putain de ta mère, salope, salopes, connard, connards, connasse, connasses, pouffiasse, pouffiasses,
    sac à foutre, bougnoule, bougnoules, trou du cul`),
  es: list(`hijo de puta, hija de puta, hijos de puta, hijoputa, hijaputa, hijueputa, gilipollas, jilipollas, chupapollas, soplapollas, maricón,
    maricones, maricon, mariconazo, concha de tu madre, vete a la mierda, puta mierda, me cago en tu puta madre, malparido, malparidos`),
  sv: list(`fitta, fittor, fittan, fittjävel, kuk, kukar, kuken, kuksugare, knulla, knullar, knullad, knullade, röv, rövhål, rövhålet, rövhatt,
    rövknulla, horor, horunge, horungar, hora dig, neger, negrer, nigger, blatte, blattar, bögjävel, bögjävlar, dra åt helvete`),
};

/**
 * Listed words that are harmless in reviews: products (nude colors, fingering yarn, a sauce), body parts, animals, mild
 * words and other meanings. The languages here are those the rule supports.
 */
export const harmlessWords: Partial<Record<string, string[]>> = {
  en: list(`2g1c, alabama hot pocket, alaskan pipeline, anal, anus, babeland, baby batter, baby juice, ball kicking, bareback, barenaked, bbw, beaner,
    beaners, beaver cleaver, bimbos, big black, big breasts, black cock, blonde action, bondage, boob, boobs, brown showers, brunette action, bullet vibe,
    bung hole, bunghole, busty, butt, buttcheeks, camel toe, clitoris, clover clamps, coon, coons, cornhole, cum, dingleberry, dingleberries, dirty pillows,
    dog style, domination, erotic, erotism, escort, eunuch, fecal, fingering, frotting, fuck buttons, g-spot, genitals, girl on, girl on top, golden shower,
    grope, guro, hard core, hardcore, hot chick, how to kill, how to murder, huge fat, humping, intercourse, jelly donut, kinky, leather restraint,
    leather straight jacket, lemon party, lolita, lovemaking, menage a trois, mound of venus, mr hands, nipple, nipples, nude, nudity, octopussy, panties, panty,
    pegging, penis, playboy, pleasure chest, poof, prince albert piercing, rectum, rosy palm, santorum, sadism, scat, scissoring, semen, sex, sexo, sexy,
    sexual, sexually, sexuality, shaved beaver, shrimping, skeet, snatch, snowballing, spread legs, spunk, strap on, strip club, suck, sucks, suicide girls,
    sultry women, swinger, tainted love, taste my, tea bagging, threesome, tied up, tight white, tit, topless, tub girl, tushy, twinkie, undressing, vagina,
    venus mound, vibrator, violet wand, voyeur, vulva, white power, wrapping men, xx, xxx, yellow showers`),
  de: list(`bonze, fratze, ische, kimme, lümmel, möpse, mufti, nackt, nippel, penis, pinkeln, popel, poppen, rosette, schabracke, schiesser, schnackeln,
    vögeln, orgasmus, hure`),
  fr: list(`bander, baiser, bitte, bloblos, bourré, bourrée, caca, chatte, clitoris, cul, déconne, déconner, folle, grande folle, gerbe, gerber, gueule, jouir,
    meuf, ménage à trois, negro, pédale, péter, pipi, pisser, ramoner, suce, tapette, tanche, trique, zizi, malpt, con`),
  es: list(`asesinato, asno, caca, chupada, concha, culo, drogas, esperma, fiesta de salchichas, haciendo el amor, heroína, infierno, maciza, maldito, martillo,
    orina, pedo, pezón, pis, sádico, semen, sexo, travesti, trio, vulva`),
  sv: list(
    `arsle, brutta, fan, hård, moona, moonade, moonar, moonat, mutta, olla, pippa, pitt, prutt, stake, sås, sätta på, tusan`,
  ),
  da: list(`anus, lort, røvskæg`),
  no: list(`fan, fanken, forbanna, forbannet, pokker, sinnsykt, skitt, ræven`),
  fi: list(`alfred nussi, bylsiä, haahka, hatullinen, hevonkuusi, hitosti, hitto, hässiä, juosten kustu, jutku, jutsku, jätkä, kuin esterin perseestä, kuppainen,
    kusaista, kuseksia, kusi, kusta, lahtari, molo, muna, munaton, naida, narttu, paljaalla, palli, pallit, paneskella, panettaa, panna, pano, pantava,
    paskanmarjat, pehko, pentele, pipari, piru, pistää, reikä, reva, ripsipiirakka, suklaaosasto, tavara, toosa, tuhkaluukku, turpasauna, vetää käteen, viiksi,
    äpärä`),
  nl: list(`aardappels afgieten, achter het raam zitten, afberen, afrossen, aftrekken, afwerkplaats, afzuigen, anita, asbak, aso, balen, bedonderen, bekken,
    belazeren, beurt, boemelen, broekhoesten, brugpieper, buffelen, buiten de pot piesen, de ballen, de hond uitlaten, de koffer induiken, de pijp uitgaan, del,
    dombo, draaikont, driehoog achter wonen, drol, een beurt geven, een halve man en een paardekop, een wip maken, eikel, engerd, flikken, gadverdamme, gat,
    gedoogzone, gras maaien, griet, hoempert, hol, huisdealer, johny, kanen, kettingzeug, klooien, knor, kont, kwakkie, liefdesgrot, lummel, mafketel, matje, mof,
    muts, naaien, naakt, nicht, op z'n hondjes, opzouten, paal, palen, penoze, piesen, pijpen, poep, poepen, poot, pot, potverdorie, publiciteitsgeil, raaskallen,
    reet trappen, remsporen, reutelen, rukken, schatje, schoft, schuinsmarcheerder, slempen, spuiten, standje, stootje, stront, sufferd, tapijtnek, teef, temeier,
    toeter, tongzoeng, triootjeg, vergallen, verkloten, vleesroos, voor zijn, watje, welzijnsmafia, wijf, wippen, wuftje, zaadje, zeiken, zuigen, zuiplap`),
  it: list(`ammucchiata, anale, bagnarsi, balle, battere, belino, biga, bocchino, boiata, bordello, brinca, cacca, cadavere, cagna, casci, cesso, chiappa, ciospo,
    cornuto, cozza, culattina, fava, femminuccia, figlio di buona donna, finocchio, fracicone, goldone, guardone, ingoio, lecchino, lofare, loffa, loffare,
    mannaggia, mona, monta, montare, mussa, nave scuola, padulo, palle, palloso, patacca, pecorina, pesce, picio, pincare, pinnolone, pippa, pippone, pipì, pirla,
    pisello, pistolotto, pomiciare, pompa, porca, porco, quaglia, regina, rizzarsi, ruffiano, sbattere, sbattersi, sbrodolata, scopare, scopata, sega, slinguare,
    slinguata, spagnola, succhione, sveltina, tarzanello, tirare, topa, vacca, vangare, zinne, zio cantante`),
  pt: list(`aborto, amador, ânus, aranha, ariano, balalao, bicha, bissexual, boob, braulio de borracha, bumbum, burro, camisinha, cerveja, chupar, clitoris, cocaína,
    coito, comer, consolo, corno, dum raio, fecal, frango assado, gozar, grelho, heroína, heterosexual, homem gay, homoerótico, homosexual, inferno, lésbica, lolita,
    mama, passar um cheque, pau, peidar, pênis, pinto, saco, torneira, transar, veado, vibrador, xana`),
  pl: list(`burdel, cyc, dmuchać, duperele, jajco, jajko, suka, rzygać, syf`),
  cs: list(`bordel, čumět, držka, dršťka, flundra, chcanky, kokot, píchat, prdelka, žrát`),
  hu: list(`balfasz, barmok, barmokat, barmot, barom, buksza, bukszák, bukszákat, bukszát, búr, búrok, franc, francok, francokat, francot, marha, marhák, marhákat,
    marhát, megdöglik, pele, pelék, pofa, pofákat, pofát`),
  tr: list(`am, amı, amlar, kaltak, kaltağı, kaltağa, kaltağın`),
  ru: list(`byk, gol, petuh, vafl'a, vafli lovit, бугор, голый, обнаженный, другой дразнится, какая разница, встать раком, мент, на фиг, офигеть, половое сношение,
    секс, фига, хапать, хрен, курите мою трубку, играть на кожаной флейте, каждый дрочит как он хочет`),
  ar: list(
    `ثدي, بز, حلمة, فرج, شهوة, جماع, قضيب, مص, تمص, لعق, لحس, شرج, مبادل, بيضان, احتلام, سحاق, شاذ, سكس, بظر, خنثي, اغتصاب, مفلقسة, بزاز`,
  ),
  zh: list(`13., 13点, 九游, 乳头, 乳房, 包皮, 卵子, 后庭, 吹箫, 屁股, 性器, 成人, 激情, 精子, 祖宗, 老二, 老母, 月经, 靠背, 他奶奶, 你娘, 你妈, 外阴, 处女, 阴道, 阴部, 花柳, 肥西,
    私服, 迷药, 贝肉, 粉腸, 湿透的内裤, 交配, 密洞, 刚度, 几八, 扒光, 打炮, 小鸡鸡, 鸡鸡, 玉杵, 双峰微颤, 你老闆, 你全家, 硬膠, 小肉粒, 肉棒, 龟头, 大卵泡, 小卵泡, 野鸡`),
  ja: list(`3p, sm, xx, いたずら, エスコート, エクスタシー, おしっこ, おしり, お尻, オシリ, おっぱい, オッパイ, おもらし, カント, グロ, コカイン, ゴックン, しばり, スウィンガー,
    スカートの中, スラット, スリット, セクシーな, セックス, ディック, デブ, トップレス, なめ, ヌード, ハードコア, バック・スタイル, バイブレーター, パンティー, ファンタジー, フィスト, フック, プレイボーイ, ぽっちゃり,
    ラティーナ, ラバー, ランジェリー, レズビアン, ローター, ロリータ, 嫌い, 女の子, 女王様, 女子高生, 女装, 支配, 人妻, 人種, 生殖器, 挿入, 脱衣, 直腸, 剃毛, 奴隷, 噴出, 裸, 両性, 卍, 誘惑,
    平手打ち, 拷問, 縛り, 覗き, 殺人事件, 肛門, 膣, 乳首, 尿道プレイ, 足を広げる, 毛深い, 自己愛性, 茶色のシャワー, アジアのかわいい女の子`),
  ko: list(
    `고자, 노모, 망가, 유모, 야사, 애자, 보지, 자지, 로리타, 에로, 하드코어, 거유, 염병, 호로, 후장, 스와핑, 자위, 근친`,
  ),
};

/** Common words that the lists lack; held for a person. */
export const additionalWords: Partial<Record<string, string[]>> = {
  en: list(`bitchy, bollock, bugger off, crappy as shit, piss off, pissed off, shite, shits, shitshow, sluts, twat`),
  de: list(`scheisse, scheiss, scheiß, scheißdreck, scheissdreck, beschissen, beschissene, beschissener, beschissenes, verarscht, arschgeige, huren, hure,
    verpiss dich, dumme sau`),
  fr: list(
    `merdique, merdiques, foutaise, saloperie, saloperies, dégueulasse, bordel de merde, putes, enfoirés, négro`,
  ),
  es: list(
    `mierdas, joder, jodido, jodida, cabrones, cabrona, putas, puto, putos, coñazo, una puta, pollas, hostia puta, imbéciles, pendejos, pendeja`,
  ),
  // "hora" means hour in Spanish and Portuguese, and is a name; short texts count as the store's language.
  sv: list(`hora, jävla, jävel, jäveln, jävligt, skitstövel, skitstövlar, helvetes, fittig, hororna`),
};
