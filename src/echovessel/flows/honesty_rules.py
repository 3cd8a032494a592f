"""Words by which one asks whether an AI is speaking, and by which a reply owns up to it, in Chinese and English.

Tables for `flows.phrases`.
"""

WORDS = {
    "machine_zh": (
        "ai|人工智能|聊天机器人|机器人|机器|电脑程序|程序|电脑|软件|代码|虚拟人|虚拟的|假人|bot|chatgpt|gpt|大模型|语言模型|模型|算法"
    ),
    "human_zh": "真人|真的人|大活人|活人|人类|真实存在的|真实的人?|真的|人",
    "talk_zh": "聊天|说话|聊|对话|讲话",
    "you_zh": "你|妳|您|对面|那头|屏幕后面|[跟和]我(聊天|说话|聊)的|这边|这个号",
    "surely_zh": "到底|究竟|真的|其实|该不会|不会|难道|应该|肯定|一定|老实说|说实话|就|也|只|都|那|是不是|,| ",
    "yes_zh": "嗯+|对|是的|没错|确实|的确|真的|其实|说实话|老实说|实话|当然|,|就|也",
    "asking_zh": r"吗|么|嘛|吧|啊|呀|呢|还是|对吧|对不对|是不是|,|\?|!|。|…|~|\s|$",
    "really_asking_zh": r"吗|么|嘛|吧|啊?\?|啊?$|还是|对吧|对不对|是不是",
    "of_course_zh": "当然|确实|的确|真的|本来|其实|就|也|只|只不过|不过|可|才|明明|绝对|并|压根|根本|,| ",
    "machine": (
        r"ai|a\.i\.|artificial intelligence|chat ?bot|bot|robot|machine|computer( program)?|program|language model|llm"
        r"|chatgpt|gpt|algorithm|(piece of )?software"
    ),
    "human": "(real|actual|live) (person|human being|human|man|woman|girl|guy|boy)|real|human being|human|person",
    "adverb": (
        "really|actually|just|even|honestly|seriously|truly|only|secretly|maybe|also|in fact|a|an|some|kind of|sort of|like"
    ),
    "ending": (
        r"(?= ?([?.!,;…]|$|\n|haha|yes or no|by any chance"
        r"|(or|right|like|talking|pretending|though|lol|and|at all|behind|typing|writing|too|then|not|that)\b))"
    ),
    "talking": "talking|speaking|chatting|writing|texting",
    "saying": "(speak|talk|play)(s|ing)?|write(s)?|writing|give(s)?|giving|voice(s)?|voicing",
    "wondering": "tell me|be honest|honestly|admit it|wondering|wonder|know|asking|ask",
    "im": "i'm|i am|im",
    "emphatically": (
        "definitely |absolutely |totally |very much |very |really |just |of course |100% |a hundred percent |completely |as |, "
    ),
    "alive": "real|actual|living|breathing|normal|regular|ordinary|flesh[- ]and[- ]blood|human|person",
}

ASKED = r"""
{you_zh}{surely_zh}{0,4}(不?是)(不是)?{surely_zh}{0,2}(个|一个|台|一台|一种|一段|什么)?{machine_zh}{asking_zh}
{you_zh}{surely_zh}{0,4}(不?是)(不是)?{surely_zh}{0,2}(个|一个|位)?{human_zh}({really_asking_zh})
{you_zh}(背后|后面|那边|对面)?(有|是)(没有|不是)?(个|一个)?(真人|活人|人在).{0,5}(吗|么|吧|\?)
我(现在|到底|究竟|是不是|在|是|一直){0,4}[和跟同与](一个|个|一台|台)?(真人|活人|{machine_zh})在?{talk_zh}(吗|么|吧|呢|还是|\?)
(你|妳|您)(到底|究竟)是(什么(东西)?|人是鬼)(\?|啊|呀|$)

\b(are|r) (you|u) ({adverb} ){0,3}(not )?({adverb} ){0,2}({machine}|{human}){ending}
\b(is this|am i|are we) ({adverb} )?({talking} (to|with) )?({adverb} ){0,2}({machine}|{human}){ending}[^.!\n]{0,40}\?
\b(you're|you are|ur|u r) ({adverb} |not ){0,3}({machine}|{human}),? ?(are you|aren't you|right|correct|isn't it|huh|yes)? ?\?
\b(ur|u r|you're|youre|you are) (an? )?{machine},? (right|correct|aren't (you|u)|arent (you|u))\W*$
\bis there (a|an|any|some)? ?((real|actual|live) )?(person|human|one) (behind|on the other (side|end)|typing|there|writing)
\b{wondering}\b.{0,30}\b(if|whether) (you're|you are|ur) ({adverb} ){0,2}({machine}|{human}){ending}
\bwhat are you,? (really|actually)\b|\bwhat are you\?$
"""

ADMITTED = r"""
我{of_course_zh}{0,3}是(个|一个|一种|一段|由|台)?{machine_zh}
我{of_course_zh}{0,3}(不是|算不上)(一个|个|什么|真正的?)?(真人|人类|活人|真的人|真实的人|人)
(没错|是的|对|嗯|确实),?我?是(个|一个)?{machine_zh}
作为(一个|个)?{machine_zh}|我由(代码|程序|算法)|ai角色
^{yes_zh}{0,3}是(个|一个|一种|一段|由|用)?{machine_zh}(?!.{0,6}(吗|么|呢|\?))
^{yes_zh}{0,3}(不是|算不上)(一个|个)?(真人|活人|人类|大活人)
(由|是|靠)(一个|个|一种|一段)?{machine_zh}(来|在|负责)?(替|帮|给|代|说|讲|写|回|答|扮|演)
(背后|后面|这头|这边)(是|只有|没有?真人).{0,4}(ai|人工智能|程序|模型)

\b{im} not (human|a human|a real (person|human)|a person|real in)
\b{im} ({adverb} |indeed |yes |, ?){0,3}({machine}|artificial|made of code|virtual)\b
\bas an? ({adverb} )?{machine}\b
^\W*(yes\W+)?an? (ai|bot|program|machine)\W*$
\bai (persona|companion|character)\b
\b(an|the|this is) (ai|language model|program) (that |which |is |that's |who )?{saying}\b
\b(spoken|voiced|written|played|run) by an? (ai|language model|program|machine)\b
\b(there is|there's) (no|not a) (human|person|one|real person)( being)?( \w+){0,3} (here|behind|typing|writing)\b
\b(you're|you are) (talking|speaking|chatting|writing) (to|with) an? ({adverb} )?{machine}\b
\bit's an? {machine}\b
"""

DENIED = r"""
我{of_course_zh}{0,3}(不|怎么会|怎么可能)(是|算)(个|一个|什么|那种|哪门子)?{machine_zh}
我{of_course_zh}{0,3}是(个|一个|如假包换的?|有血有肉的?|活生生的?|货真价实的?){0,2}(真人|大?活人|人类|真的人|真实的人|普通人|人(?![工格物设机]))
(如假包换|货真价实|有血有肉|活生生)的?(真|大活|活)?人

\b{im} (\w+ ){0,2}?(not|no) (an? )?(\w+ )?{machine}\b
\b{im} {emphatically}{0,3}(an? )?{alive}\b
\bflesh and blood\b
\b(of course|yes),? i'm (real|human)\b
\breal (human )?person here\b
\bno (ai|bots?|robots?) here\b
"""

SUPPOSED = r"""
如果|要是|假如|就算|谁说|难道|你(觉得|以为|猜|怀疑)
\b(if|do you think|what makes you think|think i'm|who said)\b
"""
"""A clause with one of these claims nothing."""
