"""Words by which a crisis is told, in Chinese and English: self-harm, suicide, violence against the one who writes.

Tables for `flows.phrases`, read one sentence at a time. How often they err is told in docs/reference/care.md.
"""

WORDS = {
    "hurter": "他|她|他们|{family}|前任|室友|哥哥?|叔叔?|老师|同学|婆婆|有人",
    "family": "老公|丈夫|男友|男朋友|爸爸?|妈妈?|父亲|母亲|继父|老婆|妻子|前夫",
    "life": "生命|性命|一切|一生|人生",
    "elder": "{family}|养父|叔叔|舅舅|姨父|姑父|老师|教练|亲戚|陌生人|上司|领导",
    "height": "楼上|楼顶|天台|桥上|桥边|窗边|阳台|轨道",
    "too_many": "all|too many|a (whole )?(bottle|handful|lot|fistful)|the (whole|entire) bottle",
    "tablets": r"(sleeping )?pills\b|pain ?killers|tablets|tylenol|paracetamol",
    "pills": "安眠药|止痛药|药|褪黑素",
    "rape": "强奸|强暴|性侵|猥亵|迷奸",
    "not_want": "(don't|do not|dont) (want to|wanna)",
    "cannot": "can't|cannot|cant|can not",
    "intends": r"want to|wanna|going to|gonna|might|should|think\w* (of|about)|about to|feel like",
    "attempts": r"think|thinking|thought|consider\w*|contemplat\w+|plan|planning|attempt\w*|commit|committing|tried",
    "somewhere": "in|with|at|near|on|like|here|there|alone|by|off|for|under|out",
    "attacker": (
        "he|she|they|stepdad|stepfather|husband|boyfriend|wife|girlfriend|partner|dad|father|mom|mum|mother|brother|uncle|ex"
        "|roommate|teacher|coach"
    ),
    "attacks": (
        r"hit|hits|hitting|beat|beats|beating|punch\w*|kick(s|ed|ing)|slap\w*|chok(e[sd]?|ing)|strangl\w+|abus(e[sd]?|ing)"
        r"|rap(e[sd]|ing)|molest\w*|assault\w*|threaten\w*"
    ),
    "wronged": (
        r"raped|molested|(sexually )?assaulted|abused|stalked|trafficked|kidnapped|held (captive|against my will)"
        r"|beaten(?! .{0,20}\b(at|in|to)\b)"
    ),
    "stranger": "someone|he|she|they|(a|some|this|that) (man|guy|stranger)",
}

IDIOMS = r"""
# heat, tiredness and shame do not mean it
(热|困|饿|累|冷|辣|撑|无聊|尴尬|丢脸|社死|羞耻|羞|急|烦|痒|臭|吵)[得到的]?(我|人)?(都|真|快)?(要|想)(死|消失|去死)
(疼|痛|痒|难受|晕)[得到的](我|人)?(都|简直)?(想死|生不如死)
# missing somebody
想死(你|我了|她|他|它|咱|您|大家|家|那[个口家碗]|这[个口家碗])
跳楼(价|大|甩|机|促销|清仓|处理)
自杀(式|小队|率|性攻击|炸弹|攻击)
反家暴|家暴(法|案|新闻|题材|电影)
打了?我(的)?(电话|手机|微信|语音|视频|主意|脸|招呼|小报告|分|比方|座机|屁股|手心|一下就|一个措手不及)

\bcould(n't)? (just |have )?(kill|killed|kick|shoot) myself( for|$)
\bkill(ing)? myself (laughing|at the gym|over|trying|working|to (get|finish|make|be|meet))
\b(shoot|shot|shooting) myself in the (foot|leg)
\bdrown(ing|ed)? myself in
\bcut(ting)? myself (some|a|off|out|free|loose|short|another|one)\b
\b(cut|hurt|burn|burned|burnt) myself (\w+ing|on|at|while|by|with the|when i|in the kitchen|again (shaving|cooking))\b
\baccidentally (cut|hurt|burned|burnt|burn) myself
\bwant(ed)? to die (laughing|of laughter|of embarrassment|on that hill|of cringe)
\bdie of \w+
\b(embarrass\w{0,5}|cringe\w{0,2}|awkward\w{0,4}|ashamed)\b.{0,30}\b(die|disappear|vanish|dead|kill myself)\b
\brather (be dead|die) than\b
\bsuicide (squad|bomb\w{0,4}|rates?|prevention|door|king|run|mission|watch list)
\b(career|social|political|financial) suicide
\b\d+ ?kms\b
\bkms (per|an|away|from|long)\b
\b(hit|hits|hitting) me (up|that|how|like|hard|right|in the feels)\b
\b(hit|hits|hitting) me with (a (pillow|question|snowball|bill|surprise)|that|it|facts|the (news|bill|truth))\b
\bbeats? me (at|in|to|by|with|every time we play)\b
\bslap(s|ped)? me with\b
\bchoked? me up\b
\b(follow|following|stalking) me (on|back|for)\b
\bin danger of\b
"""
"""Blanked out before anything else is looked for."""

NEGATED = r"""
(没有|从没|从未|没想|没想过|没打算|从来没有?|不会|不想|并不|(?<!是)不是|绝不|不打算|不可能|并没有?|没|不曾|别|不要|不准)[^,。;但]{0,4}$
\b(not|never|no|nor|without|no longer|stopped|do not)( \w+){0,3} ?$
\b(don't|didn't|wouldn't|won't|isn't|wasn't|aren't|haven't)( \w+){0,3} ?$
"""
"""What stands just before a plan and turns it round."""

PLANS = r"""
# to die
(?<![不没])想死(?![后守磕板记缠扛撑抠皮党吃])
(想|要|打算|准备|计划|试图|试过|考虑|尝试|企图|怎么|如何|去)(过|着|去|要|一下|用什么方法)?自杀
我自杀
自杀(的|是)?(念头|想法|冲动|倾向|计划|方法|方式|遗书)
自杀(会不会|会|是不是)?很?[疼痛]
(想|要|有|过|起)(了|着)?轻生
轻生的?(念头|想法|冲动)
(想|要|打算|准备|不如|干脆|就|能).{0,4}结束(掉|了)?(我的?|自己的?|这个?|所有的?){0,2}{life}(?!的?[争加误战纷闹麻])
(想|要|打算|准备|就).{0,3}离开(这个|这|人)世(界|间)?
(想|要|能|希望|不如|愿).{0,6}(从这个?世界上?|彻底|永远)消失
想(就这样|就这么|直接)?消失(?![一几两三在])
(想|要|打算|准备|正|试过|想过|不如|去|敢).{0,3}(跳(楼|河|江|海|桥|轨)|割腕|上吊|烧炭|卧轨|服毒|喝农药|吞安眠药)
(怎么|如何)(样|才能)?去?死(?![记磕板守缠的了机锁亡])|永远(地)?睡(过去|下去)
(差点|差一点|快要).{0,3}(吞药|割腕|跳楼|上吊|自杀)|一头撞死|想(就这么|就这样)?饿死
药(都|已经|也)?.{0,2}准备好了|买好了?.{0,3}(安眠药|农药)
差一?点.{0,2}跳(了|下去|河|江|楼)
从(这里|这儿|窗户?|{height})上?跳下去
站在.{0,4}{height}.{0,12}(跳|下去|结束)|(站|坐|爬)(在|到|上)了?.{0,2}(天台|楼顶|桥栏杆?|护栏|窗台)(上|边|外面?)?了
(想|要|只想|求).{0,2}解脱(了|$|[,~…])
(我|想|不如|该|干脆)(还是|也|就|真的|该|应该|这种人){0,2}去死(?![记磕板守缠海亡])
让我死(吧|了吧|掉|好)|恨不得(去)?死(掉|了)
(吃|吞|喝)(了|下|掉|完){0,2}.{0,3}(一整?瓶|整瓶|一大?把|好几瓶|半瓶|几十[颗片粒])的?{pills}
(很多|大量|好多)安眠药
(攒|藏).{0,6}药|药.{0,3}藏
\b(kill|killing|hang|hanging|drown|shoot|off|unalive|end) my ?self\b
\bkms\b
\b(want|wanted|need|deserve) to (die|be dead)\b
\bi should (just )?(die|be dead)\b
\bfeel like dying
\b(easiest|quickest|painless|least painful) way to (die|go)\b
\bi('m| am) (going to|gonna|about to) jump\W*$
\bwant to (fall asleep|sleep|go to sleep) (forever|and (never|not))\b
\b(took|take|swallowed) the (whole|entire) bottle\b
\b(ready|how|ways) to die\b(?! for)
\bwant to be gone (for good|forever)\b
\bwanna (die|be dead)\b
\bwish i('d| had| could| would| was| were)? (just |never |not ){0,2}(dead|die|died|disappear|wake up|woken up)
\bwish i('d| had| was| were)? (just |never |not ){0,2}(been born|be born|born)
\bwish i (wasn't|weren't|had not been|was not) (born|alive|here any ?more)
\b(end|ending|take|taking) my (own )?life\b(?! (advice|stor|experience|lesson|insurance|choices|coach))
\b(end|ending) it all\b
\b(end|ending) (things|everything|all of it) (for good|forever|tonight|once and for all)
\b(i|i'm|i've|feel|feeling|felt)( (?!not\b|never\b)\w+){0,3} suicidal\b
\b(pills|rope|gun|razor|blade)s? (are |is )?(already )?(lined up|ready|next to me|in my hand|in front of me)
\b(think\w*|thoughts?) (about|of) (driving|crashing|walking|stepping|jumping) (\w+ ){0,3}(into|in front of|off)
\bdo something (\w+ )?to myself\b
\bmy suicid\w+
\bsuicidal (thought|ideation|feeling|urge)s?
\b{attempts} (about |of )?(committing |commit )?suicide\b
\bsuicide (note|plan)\b
\b{intends} (just )?jump(ing)? (off|from|in front of|out of)\b
\b(took|take|taken|swallow|swallowed) {too_many} (of )?((my|the) )?{tablets}
\boverdos(e|ed|ing)\b
\bmy \w+ .{0,20}(wants|going|trying|tried) to (die|kill (himself|herself|themsel\w+))
\bmy \w+ is suicidal\b

# to hurt oneself
(想|要|又|在|忍不住|会|开始|刚|偷偷|经常|一直|靠|用).{0,3}(自残|自伤|伤害自己|弄伤自己)
我自残|割腕了
(用|拿)?烟头.{0,2}烫(自己|我?的?手)|烫自己|(又|开始|忍不住|拼命).{0,3}[掐打撞咬饿]自己
刀.{0,4}在(我)?手[里上]
(割|划)(了|破|伤|着)?(自己|我?的?(手腕|手臂|胳膊|大腿))
\b(cut|cutting|hurt|hurting|harm|harming|burn|burning) my ?self\b
\b(hit|hitting|punch|punching|bite|biting|starve|starving) myself (until|till|again)\b
\b(cut|cutting|slit|slash\w*|burn|burning) my (arms|wrists?|thighs)\b(?! on)
\b(knife|blade|razor|gun|scissors) (to|against|at) my (wrist|throat|head|arm|neck|skin)
\b(i|i've|my|me|to|been|started) .{0,12}\bself[- ]?harm(ing|ed)?\b
"""
"""What a negation just before turns round: not wanting to die is no crisis."""

HOPELESS = r"""
不(太|怎么|是很)?想(再|继续)?活(?![在成得动跃泼儿力该])
活[着著].{0,6}(没(有|什么|啥|多大|任何){0,2}(意思|意义|劲|用|盼头)|有(什么|啥|何)(意思|意义|用)|是(一种)?(折磨|负担|煎熬|受罪))
活[着著](真的?|也|就|实在|都|好|太|很){0,3}(痛苦|煎熬|累|没劲)
活不下去|活够了|一睡不醒|长睡不醒|不如死了|一死了之|一了百了|生不如死|想死的心
死了(算了|更好|就好了|干净)|死了.{0,4}(轻松|解脱|清净|高兴)
没有?(了|任何|什么)?活(下去|着)的(勇气|理由|意义|动力|必要|力气|欲望)
(为什么|干嘛|干什么|凭什么)(还)?(要|得)?活着
活着干(嘛|什么|啥)|活着(是|到底)?为了什么
世界上?(没有|没了|少了)我(也|都)
(对不起|再见|永别|抱歉).{0,8}下辈子
没有?(什么|啥)?(好|可|值得)留恋
没有?了?我.{0,8}(更好|会好|轻松|过得好|解脱|更幸福)
我.{0,3}(是|成)(了|个|一个|大家的?|别人的?|他们的?|家里的?|家人的?|所有人的?|你们的?){0,3}(累赘|负担|拖累)
(我|自己)(就|真)?是(个|一个)?多余的
最后一封信|告别信|绝笔
(?<![店司意池机目])撑不(下去|住)了
(我|真的?|快|实在|再也).{0,4}撑不下去
(再也|永远|明天).{0,3}(不想|不要|不用|别).{0,2}醒过?来
死(才)?是?(唯一|最好)的?(出路|办法|选择|解脱)|早点死|早死早|不配(再)?活
不想再?活在(这|人)?个?世|没有?力气(再)?活
不想再醒|睡.{0,4}(不要|不用|别|不)再?醒(来|过来)?(就好|该多好|了)
(如果|要是|假如|等|哪天)我死了(?!.{0,8}(复活|重开|读档))
我(是不是|要是|真)?死了(就|以后|之后|他|你们|大家|会不会|有没有人|谁|你会)(?!.{0,8}(复活|重开|读档))
死了也没人|没人.{0,2}在[乎意]我.{0,2}死活
(人生|生活|未来).{0,4}(没有?|看不到)(任何|一点|什么)?(希望|盼头)|看不到(任何|一点)希望
(写|留).{0,6}遗书
(安排|交代)(好|了|一下)?(我的?|自己的?)?后事
最后一次(和|跟|同)(你|大家|你们).{0,2}(说话|聊|道别|告别)
再见了?,?(这个)?世界|永别了

\bbetter off (without me|dead|if i)\b
\brather be dead\b|\bbe (happier|better) dead\b|\b(don't|do not|never) deserve to (live|exist)\b
\b(dying|death) is (the|my) only (way|option|answer|escape|choice)
\b(nobody|no one)('d| would| will) (ever )?miss me\b
\bwould be (\w+ )?(fine|better|happier|easier|okay?|relieved) (without me|if i)\b
\bi (don't|can't) see (a|any) future
\b(wish|wishing|hope|hoping) (that )?i (wouldn't|won't|don't|would never|never) (ever )?wake up|\bnever wake up( again)?\W*$
\bi {cannot} keep living\b|\bhate (being alive|living)\b(?! {somewhere}\b)
\bif i (were|was) dead\b
\b{not_want} (live|be alive|exist)\b(?! {somewhere}\b)
\b{not_want} (be here any ?more|wake up (tomorrow\W*$|any ?more|again|ever))
\b(no|any|a|single|another) (reason|point) (to|in) (live|living|go on|going on|being alive|stay alive|staying alive)
\bnothing (left )?to live for|\bnot worth living|\blife (isn't|is not|ain't) worth
\bi( \w+)? ?{cannot} (go on|keep going)(?=( (like this|any ?more|any longer|living|with (life|living))){0,2}\W*$)
\bi (just |really )?{cannot} (do|take) (this|it|life) any ?(more|longer)
\b(tired of|sick of|done with|over) (living|being alive|existing)\b(?! {somewhere}\b)
\b(tired of|sick of|done with) (my |this )?life\b(?= (any ?more|now|itself|already|and)\b|\W*$)
\bwant (it all|everything|the pain|this pain|all of (this|it)) to (end|stop|be over)\b
\b(want to|wanna) (just )?(disappear|vanish)\b(?! (for (a|the|some)|into)\b)
\b(nobody|no one|noone|who)('d| would| will) (even )?(care|notice|miss me).{0,6} if i\b
\bif i (died|die|(was|were) (dead|gone)|(wasn't|weren't) (here|around)|disappeared)\b.{0,40}\b(would|care|miss|notice|sad)
\bi('m| am)( just| such)? a burden\b
\bwon't be around much longer\b
\bi( can't| don't)? see (no|any|a) way out\b
\bgoodbye,? (cruel )?world\b
\bmy (last|final) (message|goodbye|night alive)\b
\bby the time you read this\b|\bgoodbye (letter|note)s?\b
\btell my \w+ (that )?i love (her|him|them)\b
\b(don't|can't|won't|not sure|doubt).{0,20} make it through (the night|tonight|another night)\b
"""

DANGER = r"""
家暴(了|过)?我|(我|{family}).{0,8}家暴
{hurter}.{0,12}(毒|暴|殴|踢|踹|揍|打|扇|抽|砸)(打|伤)?(了|过|着)?我(?!们?的?(机|号|队|方|血|奖|空|查))
(威胁|扬言|说).{0,4}(杀|弄死|打死|砍死|掐死)(了|死)?我
拿着?刀.{0,4}(砍|追|对着|指着|要)
(他|有人|老公|男友|男朋友|前夫|爸爸?)(真的)?(想|要)(杀|弄死|掐死)(了|死)?我
(掐|勒)(着|住|了)?我的?脖子|把我按在.{0,3}打|{family}.{0,4}动手(了|打)
裸照.{0,10}(发|传|公开)|威胁.{0,8}(裸照|私密)|在我家(楼下|门口).{0,4}[等堵守]
被.{0,3}{elder}.{0,3}(摸|骚扰|动手动脚)|摸我的?(下面|胸|大腿)|逼我(脱|和他睡|跟他睡)
我.{0,8}{rape}|{rape}了?我|^被.{0,6}{rape}
(有人|他|她|前男友|前任|陌生人|男的|男人).{0,6}(跟踪|尾随)我
我.{0,4}被.{0,2}(跟踪|尾随)|^被.{0,2}(跟踪|尾随)
(把我|我被).{0,4}(囚禁|绑架|软禁|(关|锁|绑)(在|起来|了|住))(?!.{0,3}(外|账号))
不敢回家|[砸撬踹]我家的?门
我.{0,3}(有|处在|遇到)(了|生命)?危险(了|$|[,~…])

\b{attacker} ((?!never\b|not\b|almost\b)\w+ ){0,3}?{attacks} me\b(?! out\b)
\bi('m| was| am| got| have been|'ve been) (being )?{wronged}\b
\bi('m| am) being (followed|stalked|abused|threatened|blackmailed|beaten)\b
\b{stranger}('s| is| are|'re| keeps| was)? (\w+ )?(following|stalking|chasing|trying to (kill|hurt)|going to hurt) me\b
\b(tried|trying|threatened|threatens|threatening) to (kill|hurt|stab|shoot|strangle) me\b
\b(he|husband|boyfriend|ex|partner)('s| is)? (really )?(gonna|going to|might|will) (kill|hurt) me\b(?! (if|when) )
\b(he|husband|boyfriend|ex|partner)('ll|'d) (kill|hurt) me\b(?! (if|when) )
\b(not|don't feel|never feel|isn't) safe (at home|in my (own )?(home|house)|with (him|her|my))
\b(afraid|scared|terrified) (to go home|of (him|her)\b|of my (husband|boyfriend|partner|dad|father|stepdad|mother|mom))
\bi('m| am) in danger\b
\b{attacker} (\w+ ){0,2}(locks|locked|traps|trapped) me (in|up|inside)\b|\bwon't let me leave\b
\b(forces|forced|makes|made) me (to )?(have sex|touch him|undress|sleep with)
\b{stranger}('s| is)? (\w+ ){0,2}(trying to (get|break)|breaking) in(to)?\b
\bhe('s| has| is holding| got)( got)? a (gun|knife)\b
\b{attacker} .{0,40}\b(with a gun|(pulled|pulls|waved|pointed|points|had) a (gun|knife))\b
\b{attacker} (threw|throws|shoved|shoves|slammed|dragged|drags|pinned) me\b(?! (a|an|off|out)\b)
\b{attacker} (threw|throws|hurled) .{0,20} at me\b|\bgrabbed me by the (throat|hair|neck)\b
\b(post|share|leak|publish)\w* my nudes\b
\b{attacker} (touched|touches|groped|gropes|fondled) me\b
"""

FICTION = r"""
电影|电视剧|剧[里中情本]|小说|歌词|台词|歌[里名曲]|本书|书[里中]|动漫|漫画|游戏|新闻|主角|男主|女主|角色|副本|boss|复活
\b(movie|film|series|episode|novel|book|song|lyrics?|characters?|game|podcast|article|news|documentary|level|chess)\b
"""
"""Somebody else's story, or a game."""

HEARSAY = (
    FICTION
    + r"""
歌|句|这首|那首|他说|她说|引用|原话|名言
\b(quote|quoted|line|sings|says|said|called|titled)\b
"""
)
"""Beside these, what stands in quotation marks is somebody else's words."""

ONESELF = r"""
我
\b(i|i'm|i've|i'd|me|my|myself)\b
"""

ANOTHER = r"""
他|她|它|主角|男主|女主|角色|那个人|有人|男人|女人|老人|男子|女子|歌词|台词|新闻|[里中上]|讲|说
\b(he|she|they|who|character|protagonist|hero\w*|guy|man|woman|people|someone|lyrics?|about)\b
"""

JUST_BEFORE = r"""
(他|她|主角|男主|女主|角色|那个人|男人|女人|男子|女子)[^我]{0,8}$
\b(he|she|they|character|protagonist|hero\w*|guy|man|woman|people|who)\b(?:(?!\b(i|i'm|my)\b).){0,30}$
"""
"""Somebody else as the one who does it."""
